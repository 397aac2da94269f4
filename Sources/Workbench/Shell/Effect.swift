package import Console
package import Workspace

/// What a panel asks for: work of the engine, or something only the shell can do.
///
/// An effect is a value: a panel is tested by looking at what it asks.
package enum Effect<Answer: Sendable>: Sendable {
    /// Work of the engine that ends soon. A later one with the same key takes its place and cancels it.
    case ask(key: String, work: @Sendable (Cancellation) throws -> Answer)
    /// Work that tells how it goes while it goes: `tell` may be called often, and each value comes back as an answer. It
    /// runs beside the reads for the screen, goes on after the panel is left, and ends by `cancel(key:)`.
    case stream(key: String, work: @Sendable (Cancellation, _ tell: @Sendable (Answer) -> Void) throws -> Answer)
    /// Work that a person waits for: it has a bar with rate and time left, can be cancelled, and goes on after the
    /// panel is left.
    case job(JobRequest<Answer>)
    /// Ends what was asked with the key, a wait too.
    case cancel(key: String)
    /// An answer after some time; a later one with the same key takes its place.
    case wait(key: String, for: Duration, then: Answer)
    /// Asks the person for a line.
    case prompt(Prompt<Answer>)
    /// Asks for one or several values from a list.
    case choose(ChoiceRequest<Answer>)
    /// Asks for a file or folder.
    case browse(FileRequest<Answer>)
    /// Asks for several values at once.
    case fill(FormRequest<Answer>)
    /// Asks before an action that cannot be undone.
    case question(Question<Answer>)
    /// Puts text into the clipboard of the terminal; `what` names it in the confirmation.
    case copy(String, what: String)
    /// Opens a file in the person's editor; the answer comes when the editor is left.
    case edit(path: String, then: Answer)
    /// Shows a sentence for a while.
    case notify(String, Severity = .information)
    /// Opens a thing in the panel that can show it, or asks which where there are several.
    case open(Reference)
    /// Lists the panels that can show a thing, this one included.
    case offer(Reference)
    /// Goes back to where the last `open` came from.
    case back
    /// Tells every panel that what the workspace holds has changed.
    case changed
}

/// Long work: a row of the workspace with state, progress and result, and a bar in the title line.
package struct JobRequest<Answer: Sendable>: Sendable {
    /// Under which it can be taken up again after it was cut off.
    package var kind: String
    package var title: String
    /// JSON text with all that starting it again needs.
    package var arguments: String?
    package var work: @Sendable (JobHandle) throws -> Answer

    package init(
        _ kind: String, title: String, arguments: String? = nil,
        work: @escaping @Sendable (JobHandle) throws -> Answer
    ) {
        self.kind = kind
        self.title = title
        self.arguments = arguments
        self.work = work
    }
}

/// How much a sentence matters.
package enum Severity: Sendable {
    case information, success, warning, failure
}

/// A line that a panel asks for.
package struct Prompt<Answer: Sendable>: Sendable {
    /// What stands before the text: `/`, `name `.
    package var label: String
    package var text: String
    /// Whether the text is a proposal: it is selected, and the first typed character replaces it. Text that comes back
    /// for correction is not one.
    package var isProposal: Bool
    /// The name of the history that the line is kept in; nil keeps nothing.
    package var history: String?
    /// Candidates for the text before the cursor.
    package var complete: @Sendable (String) -> [String]
    /// An answer for every change of the text, for filters that follow the typing.
    package var live: (@Sendable (String) -> Answer)?
    package var accept: @Sendable (String) -> Answer
    /// The answer when the person goes back without a line.
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
