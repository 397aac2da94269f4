package import Console
internal import Dispatch
package import Workspace

/// A message of the engine to the drawing thread.
package enum EngineMessage: Sendable {
    case answered(panel: Int, key: String, ticket: UInt64, value: any Sendable)
    /// An intermediate value of work in progress.
    case told(panel: Int, key: String, ticket: UInt64, value: any Sendable)
    case failed(panel: Int, key: String, ticket: UInt64, sentence: String)
    /// A job has started and can be canceled.
    case began(ticket: UInt64, JobHandle)
    case progressed(Job)
    /// A resumed job has ended or failed.
    case resumed(panel: Int, title: String, ticket: UInt64, sentence: String?)
    case cancelled(panel: Int, key: String, ticket: UInt64)
    /// Runs that leaving would end.
    case underWay([Departure])
    /// Preparations for leaving have finished or failed.
    case readyToLeave(problem: String?)
    /// Listing of a folder, for the file browser.
    case listed(FileBrowser.Listing)
    /// First lines of a file, for the file browser.
    case filePreview(path: String, lines: [String])
    /// Paths that start with a text, for a form.
    case completed(text: String, candidates: [String])
    /// The shell's own work is done; the closure receives its result.
    case finished(@Sendable (Shell) -> Void)
    /// Previews of the panels, in the order of the requests.
    case previewed(ticket: UInt64, [(panel: Int, preview: Preview)])
}

/// Kinds of work that do not wait for each other.
package enum WorkLane: Sendable {
    /// Short reads for the screen, one after another.
    case read
    /// Short changes to the workspace or a file, one after another.
    case write
    /// Work that may take long, in parallel.
    case job
}

/// An executor of work outside the drawing thread.
package protocol Engine: AnyObject, Sendable {
    /// Runs work outside the drawing thread. Work of one lane never waits for another lane.
    func run(_ lane: WorkLane, _ body: @escaping @Sendable () -> Void)
    /// Waits for all writes, before the program ends.
    func finishWrites()
    func post(_ message: EngineMessage)
    func drain() -> [EngineMessage]
}

/// Runs work on its own threads and wakes the drawing thread through the terminal's mailbox.
final class ThreadedEngine: Engine {
    private let mailbox: Mailbox<EngineMessage>
    // Serial, so that reads for the screen neither pile up nor wait behind writes and jobs.
    private let reads = DispatchQueue(label: "orrery.reads", qos: .userInteractive)
    private let writes = DispatchQueue(label: "orrery.writes", qos: .userInitiated)
    private let jobs = DispatchQueue(label: "orrery.jobs", qos: .utility, attributes: .concurrent)

    init(mailbox: Mailbox<EngineMessage>) { self.mailbox = mailbox }

    func run(_ lane: WorkLane, _ body: @escaping @Sendable () -> Void) {
        let queue =
            switch lane {
            case .read: reads
            case .write: writes
            case .job: jobs
            }
        queue.async(execute: body)
    }

    func finishWrites() { writes.sync {} }

    func post(_ message: EngineMessage) { mailbox.post(message) }
    func drain() -> [EngineMessage] { mailbox.drain() }
}

/// Runs work at once, so that `orrery show` and tests see every answer before the next key.
package final class InlineEngine: Engine {
    private let messages = Mailbox<EngineMessage>(wake: {})

    package init() {}

    package func run(_ lane: WorkLane, _ body: @escaping @Sendable () -> Void) { body() }
    package func finishWrites() {}
    package func post(_ message: EngineMessage) { messages.post(message) }
    package func drain() -> [EngineMessage] { messages.drain() }
}
