package import Console
package import Workspace

/// A request of a panel: work for the engine, or an operation of the shell.
///
/// An effect is a value, so tests check a panel by the effects that it returns.
package enum Effect<Answer: Sendable>: Sendable {
    /// Short work for the engine. A later request with the same key cancels and replaces it.
    case ask(key: String, work: @Sendable (Cancellation) throws -> Answer)
    /// A short change to the workspace or a file. It has a key of its own, is never replaced or canceled, and does not
    /// wait for reads.
    case write(key: String, work: @Sendable () throws -> Answer)
    /// Work that reports its progress: `tell` may be called often, and each value arrives as an answer. It runs in
    /// parallel with reads for the screen, continues after the user leaves the panel, and ends with `cancel(key:)`.
    case stream(key: String, work: @Sendable (Cancellation, _ tell: @Sendable (Answer) -> Void) throws -> Answer)
    /// Work that the user waits for: it has a progress bar with rate and remaining time, can be canceled, and
    /// continues after the user leaves the panel.
    case job(JobRequest<Answer>)
    /// Cancels the work or the wait with the key.
    case cancel(key: String)
    /// Sends an answer after some time; a later wait with the same key replaces it.
    case wait(key: String, for: Duration, then: Answer)
    /// Asks the user for a line.
    case prompt(Prompt<Answer>)
    /// Asks for one or several values from a list.
    case choose(ChoiceRequest<Answer>)
    /// Asks for a file or folder.
    case browse(FileRequest<Answer>)
    /// Asks for several values at once.
    case fill(FormRequest<Answer>)
    /// Asks before an action with consequences, such as a deletion.
    case question(Question<Answer>)
    /// Copies text to the terminal's clipboard; `what` names it in the confirmation.
    case copy(String, what: String)
    /// Opens a file in the user's editor; the answer arrives when the editor exits.
    case edit(path: String, then: Answer)
    /// Shows a message for some seconds.
    case notify(String, Severity = .information)
    /// Opens an object in the panel that can show it, or asks for the panel if there are several.
    case open(Reference)
    /// Lists the other panels that can show an object.
    case offer(Reference)
    /// Goes back to where the last `open` came from.
    case back
    /// Notifies every panel of a change in the workspace.
    case changed
}

/// Long work: a row of the workspace with state, progress, and result, and a bar in the title line.
package struct JobRequest<Answer: Sendable>: Sendable {
    /// Kind of the job, which selects the code that resumes it.
    package var kind: String
    package var title: String
    /// JSON text with everything needed to start the job again.
    package var arguments: String?
    /// Key of the job's failure: the title, unless two jobs may have the same title.
    package var key: String
    package var work: @Sendable (JobHandle) throws -> Answer

    package init(
        _ kind: String, title: String, arguments: String? = nil, key: String? = nil,
        work: @escaping @Sendable (JobHandle) throws -> Answer
    ) {
        self.kind = kind
        self.title = title
        self.key = key ?? title
        self.arguments = arguments
        self.work = work
    }
}

/// Severity of a message.
package enum Severity: Sendable {
    case information, success, warning, failure
}

/// A request for a line of text.
package struct Prompt<Answer: Sendable>: Sendable {
    /// Label before the text, such as `/` or `name `.
    package var label: String
    package var text: String
    /// Whether the text is a proposal: it is selected, and the first typed character replaces it. Text that needs
    /// correction is not a proposal.
    package var isProposal: Bool
    /// Name of the history that stores the line; `nil` stores nothing.
    package var history: String?
    /// Candidates for the text before the cursor.
    package var complete: @Sendable (String) -> [String]
    /// Returns an answer for every change of the text, for filters that update while the user types.
    package var live: (@Sendable (String) -> Answer)?
    package var accept: @Sendable (String) -> Answer
    /// Answer if the user cancels.
    package var cancelled: Answer?

    package init(
        _ label: String, text: String = "", isProposal: Bool = true, history: String? = nil,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] },
        live: (@Sendable (String) -> Answer)? = nil, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        self.label = label
        self.text = text
        self.isProposal = isProposal && !text.isEmpty
        self.history = history
        self.complete = complete
        self.live = live
        self.cancelled = cancelled
        self.accept = accept
    }
}
