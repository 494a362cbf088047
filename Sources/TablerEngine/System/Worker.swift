/// The threads of the process besides the first one: few, and only for inputs that are not small.
enum Worker {
  /// The processors that may be used at once.
  static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The size of a thread's stack in bytes.
  private static let stackSize = 8 << 20

  /// Runs `body` on a thread of its own.
  ///
  /// - Returns: whether there is such a thread; if the system has none left, nothing was run.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    Memory.expectsThreads
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let task = unsafe Unmanaged.passRetained(Task(body)).toOpaque()
    // A new thread inherits the blocked signals: they are for the first thread.
    let status = Interruption.holding {
      unsafe createThread(&attributes, { unsafe runTask($0) }, task)
    }
    // SAFETY: no thread was created that could take it over.
    if status != 0 { unsafe Unmanaged<Task>.fromOpaque(task).release() }
    return status == 0
  }

  /// Runs `body` with a stack of at least `stackSize` bytes: on a new thread if `ulimit -s` keeps the first
  /// one smaller.
  ///
  /// That thread then receives the signals, and the first one waits until the process ends. If no thread can
  /// be created, `body` runs on the first thread with the stack it has.
  static func onLargeStack(_ body: @escaping @Sendable () -> Never) -> Never {
    guard stackLimit < stackSize else { body() }
    Memory.expectsThreads
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    let task = unsafe Unmanaged.passRetained(Task({ body() })).toOpaque()
    guard unsafe createThread(&attributes, { unsafe runTask($0) }, task) == 0 else { body() }
    Interruption.leaveSignalsToOthers()
    while true { pause() }
  }

  /// The limit of the first thread's stack in bytes.
  private static var stackLimit: Int { rlimit.stack.map { Int(clamping: $0.rlim_cur) } ?? .max }

  /// Runs `body` for each number below `count`, at once if there are threads for it, and waits for all.
  static func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let open = Monitor(max(count - 1, 0))
    for number in 1..<max(count, 1) {
      let run: @Sendable () -> Void = {
        body(number)
        open.access { $0 -= 1 }
      }
      if !start(run) { run() }
    }
    if count > 0 { body(0) }
    open.wait { $0 == 0 ? () : nil }
  }

  /// What `body` makes of equal parts of `0..<count`, one for each thread, in order.
  static func map<Part: Sendable>(
    _ count: Int, onThreads threadCount: Int, _ body: @escaping @Sendable (Range<Int>) -> Part
  ) -> [Part] {
    let parts = Monitor([Int: Part]())
    concurrently(threadCount) { part in
      let made = body(count * part / threadCount..<count * (part + 1) / threadCount)
      parts.access { $0[part] = made }
    }
    return parts.access { parts in (0..<threadCount).compactMap { parts[$0] } }
  }
}

/// The work of a thread.
private final class Task {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

@unsafe private func runTask(_ task: ThreadArgument) -> UnsafeMutableRawPointer? {
  // SAFETY: `start` retained the task for its thread.
  let task: UnsafeMutableRawPointer? = unsafe task
  if let task = unsafe task { unsafe Unmanaged<Task>.fromOpaque(task).takeRetainedValue().body() }
  return nil
}

/// A value that threads access in turn, and whose changes they can wait for.
@safe
final class Monitor<State: Sendable>: @unchecked Sendable {
  // Why it may be shared: `state` is only accessed while the mutex is held, what is taken out of it may be
  // shared, and the two pointers are constants.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  /// Creates a monitor of `state`, which nothing else may keep.
  init(_ state: State) {
    self.state = state
    // SAFETY: both are allocated and not shared yet.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    // SAFETY: no thread can hold or wait for these, because nothing refers to them.
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Reads the value or changes it, exclusively; wakes all threads that wait.
  func access<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unlock() }
    return body(&state)
  }

  /// Gives up the mutex, and only then wakes those who wait for it: they need it at once.
  private func unlock() {
    unsafe pthread_mutex_unlock(mutex)
    unsafe pthread_cond_broadcast(condition)
  }

  /// Waits until `body` returns a value; it is called again after each change.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unlock() }
    while true {
      if let result = body(&state) { return result }
      // SAFETY: the mutex is held by this thread.
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
