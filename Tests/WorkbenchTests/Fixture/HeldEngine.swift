import Console
import Synchronization
import Workbench

/// Does at once what is asked for the screen, and holds jobs back until a test lets them go on.
final class HeldEngine: Engine {
    private let messages = Mailbox<EngineMessage>(wake: {})
    private let held = Mutex<[@Sendable () -> Void]>([])

    func run(isJob: Bool, _ body: @escaping @Sendable () -> Void) {
        guard isJob else { return body() }
        held.withLock { $0.append(body) }
    }

    func post(_ message: EngineMessage) { messages.post(message) }
    func drain() -> [EngineMessage] { messages.drain() }

    /// Runs the jobs that wait.
    func letGo() {
        let jobs = held.withLock { held in
            defer { held = [] }
            return held
        }
        for job in jobs { job() }
    }

    var count: Int { held.withLock { $0.count } }
}
