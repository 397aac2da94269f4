import Console
import Workbench

/// Does screen work at once, and holds jobs until a test releases them.
///
/// One thread uses it: the test's.
final class HeldEngine: Engine, @unchecked Sendable {
    private let messages = Mailbox<EngineMessage>(wake: {})
    private var held: [@Sendable () -> Void] = []
    /// Reads for the screen are held back like jobs.
    var holdsReads = false
    /// What happens between the beginning of a job and its work, as it may while a thread does it.
    var whenJobBegins: () -> Void = {}

    func run(_ lane: WorkLane, _ body: @escaping @Sendable () -> Void) {
        guard lane == .job || lane == .read && holdsReads else { return body() }
        held.append(body)
    }

    func finishWrites() {}

    func post(_ message: EngineMessage) {
        messages.post(message)
        if case .began = message { whenJobBegins() }
    }

    func drain() -> [EngineMessage] { messages.drain() }

    /// Runs the jobs that wait.
    func letGo() {
        let jobs = held
        held = []
        for job in jobs { job() }
    }

    var count: Int { held.count }
}
