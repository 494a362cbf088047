import Testing

@testable import TablerEngine

/// The jobs that threads do while they wait.
@Suite struct CrewTests {
  /// The jobs that were done, in order.
  private let done = Monitor<[String]>([])

  private func job(_ name: String) -> @Sendable () -> Void { { [done] in done.access { $0.append(name) } } }

  private var names: [String] { done.access { $0 } }

  @Test func `without other threads, jobs are done by the thread that waits`() {
    let crew = Crew(Tuning(threadLimit: 1))
    let first = crew.add(job("first"))
    let next = crew.add(job("next"), isNext: true)
    let last = crew.add(job("last"))
    crew.finish(last)
    #expect(names == ["last"], "the job that is awaited comes before others")
    crew.finish(first)
    crew.finish(next)
    #expect(names == ["last", "first", "next"])
  }

  @Test func `while a thread waits, it does the next job first`() {
    let crew = Crew(Tuning(threadLimit: 1))
    _ = crew.add(job("first"))
    _ = crew.add(job("next"), isNext: true)
    crew.wait { names.count == 2 ? () : nil }
    #expect(names == ["next", "first"])
  }

  @Test func `a job is offered to others only if they have time`() throws {
    let crew = Crew(Tuning(threadLimit: 1))
    #expect(crew.offer(job("offered")) == nil, "there are no others")
    crew.waitForBatch { ((), backlog: 4) }
    #expect(crew.offer(job("offered")) == nil, "few batches wait")
    crew.waitForBatch { ((), backlog: 5) }
    crew.finish(try #require(crew.offer(job("offered")), "many batches wait"))
    #expect(names == ["offered"])
  }

  @Test(arguments: [2, 8]) func `a job that is offered is done although nobody waits for it`(threadCount: Int)
  {
    let crew = Crew(Tuning(threadLimit: threadCount))
    #expect(crew.offer(job("offered")) != nil, "a thread is started for it")
    done.wait { $0.isEmpty ? nil : () }
    #expect(names == ["offered"])
  }

  @Test func `a thread does jobs after its own work`() {
    let crew = Crew(Tuning(threadLimit: 2))
    let own = job("own")
    let isStarted = crew.start { _ in
      own()
      return true
    }
    #expect(isStarted)
    _ = crew.add(job("given"))
    done.wait { $0.count < 2 ? nil : () }
    #expect(names.sorted() == ["given", "own"])
  }

  /// What a thread keeps alive, so that its end can be seen.
  private final class Kept: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  @Test func `a crew that is dropped drops its jobs, and threads keep neither it nor what they ran`() {
    do {
      let crew = Crew(Tuning(threadLimit: 1))
      _ = crew.add { [kept = Kept(job("dropped"))] in withExtendedLifetime(kept) {} }
    }
    #expect(names == ["dropped"])
    do {
      let crew = Crew(Tuning(threadLimit: 2))
      let kept = Kept(job("ended"))
      let isStarted = crew.start { _ in withExtendedLifetime(kept) { true } }
      #expect(isStarted)
    }
    done.wait { $0.contains("ended") ? () : nil }
  }
}
