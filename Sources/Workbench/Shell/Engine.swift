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

/// An executor of work outside the drawing thread.
package protocol Engine: AnyObject, Sendable {
    /// Runs work outside the drawing thread; `isJob` work may take long and must not delay other work.
    func run(isJob: Bool, _ body: @escaping @Sendable () -> Void)
    func post(_ message: EngineMessage)
    func drain() -> [EngineMessage]
}

/// Runs work on its own threads and wakes the drawing thread through the terminal's mailbox.
final class ThreadedEngine: Engine {
    private let mailbox: Mailbox<EngineMessage>
    // Serial, so that reads for the screen neither pile up nor wait behind jobs.
    private let interactive = DispatchQueue(label: "orrery.interactive", qos: .userInteractive)
    private let jobs = DispatchQueue(label: "orrery.jobs", qos: .utility, attributes: .concurrent)

    init(mailbox: Mailbox<EngineMessage>) { self.mailbox = mailbox }

    func run(isJob: Bool, _ body: @escaping @Sendable () -> Void) {
        (isJob ? jobs : interactive).async(execute: body)
    }

    func post(_ message: EngineMessage) { mailbox.post(message) }
    func drain() -> [EngineMessage] { mailbox.drain() }
}

/// Runs work at once, so that `orrery show` and tests see every answer before the next key.
package final class InlineEngine: Engine {
    private let messages = Mailbox<EngineMessage>(wake: {})

    package init() {}

    package func run(isJob: Bool, _ body: @escaping @Sendable () -> Void) { body() }
    package func post(_ message: EngineMessage) { messages.post(message) }
    package func drain() -> [EngineMessage] { messages.drain() }
}
