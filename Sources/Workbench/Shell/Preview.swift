package import Workspace

/// Summary of what a panel would show of an object, computed before the panel is offered.
package enum Preview: Hashable, Sendable {
    /// Phrase for the list of `o`, such as `412 tokens with probabilities`.
    case shows(String)
    /// Reason why the panel has nothing to show, as a sentence without a period.
    case nothing(String)

    /// Preview of a reference without a row of the workspace.
    static let unplaced = Preview.nothing("not stored in the workspace")

    /// Computes a preview outside the drawing thread. It may read the workspace; an error means `nothing`.
    package typealias Work = @Sendable (Cancellation) throws -> Preview
}

/// The panels that can show an object, with a description of what they show.
struct OpenMenu {
    /// A panel that can be chosen.
    struct Row {
        var panel: Int
        /// Description of what the panel shows.
        var sight: String
    }

    var reference: Reference
    /// Ticket of the previews in progress; `nil` once `rows` is complete.
    var ticket: UInt64?
    var cancellation: Cancellation
    /// Start of the previews. The list stays invisible for a moment, so that a quick result does not flicker.
    var asked: ContinuousClock.Instant
    /// Whether a single panel opens without a list.
    var opensOnlyOne: Bool
    var rows: [Row] = []
    var selected = 0
    /// Whether Enter was pressed before the rows were known.
    var isChosen = false

    static let patience = Duration.milliseconds(150)

    var isWaiting: Bool { ticket != nil }
}
