/// A value that threads take turns with, and wait for changes of.
@safe
final class Monitor<State: Sendable>: @unchecked Sendable {
  // Why it may be shared: `state` is only touched while the mutex is held, what is taken out of it may be shared, and
  // the two pointers are constants.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  /// Creates a monitor of `state`, which nobody else may keep.
  init(_ state: State) {
    self.state = state
    // SAFETY: both are allocated and not shared yet.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    // SAFETY: nobody can hold or wait for what nobody refers to.
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at the value or changes it, alone; wakes all who wait.
  func access<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until `body` yields something; it is asked again after each change.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&state) { return result }
      // SAFETY: the mutex is held by this thread.
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
