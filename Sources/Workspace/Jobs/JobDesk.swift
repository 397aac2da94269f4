import Synchronization

/// A workspace's state in this process that is not stored in rows: running jobs, observers, and unsaved values.
final class JobDesk: Sendable {
    typealias Resume = @Sendable (Job, JobHandle) throws -> Void

    let active = Mutex<[Int64: WeakHandle]>([:])
    let resumes = Mutex<[String: Resume]>([:])
    let observers = Mutex<[Int: @Sendable (Job) -> Void]>([:])
    let unsaved = Mutex<[String: String?]>([:])
    private let next = Atomic<Int>(0)

    struct WeakHandle: Sendable {
        weak let handle: JobHandle?
    }

    func observe(_ observer: @escaping @Sendable (Job) -> Void) -> Int {
        let key = next.add(1, ordering: .relaxed).newValue
        observers.withLock { $0[key] = observer }
        return key
    }

    func handle(_ id: Int64) -> JobHandle? {
        active.withLock { $0[id]?.handle }
    }

    func notify(_ job: Job) {
        for observer in observers.withLock({ Array($0.values) }) { observer(job) }
    }
}
