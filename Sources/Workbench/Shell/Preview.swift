package import Workspace

/// What a panel would show of a thing, found out before the panel is offered.
package enum Preview: Hashable, Sendable {
    /// A phrase for the list of `o`: `412 tokens with probabilities`.
    case shows(String)
    /// Why the panel has nothing to show, as a sentence without its end.
    case nothing(String)

    /// The answer for a reference without a row of the workspace.
    static let unplaced = Preview.nothing("not stored in the workspace")

    /// Finds it out. It runs beside the drawing thread and may read the workspace; an error means `nothing`.
    package typealias Work = @Sendable (Cancellation) throws -> Preview
}

/// The panels that have something to show of a thing, with what that is.
struct PlaceMenu {
    /// A panel that can be chosen.
    struct Row {
        var panel: Int
        /// What it shows.
        var sight: String
    }

    var reference: Reference
    /// The panels are still being asked under this ticket; nil once `rows` is complete.
    var ticket: UInt64?
    var cancellation: Cancellation
    /// When the panels were asked. The list stays invisible for a moment, so that a quick answer does not flicker.
    var asked: ContinuousClock.Instant
    /// Opens the only panel without listing it.
    var opensOnlyOne: Bool
    var rows: [Row] = []
    var selected = 0
    /// Enter was pressed before the rows were known.
    var isChosen = false

    static let patience = Duration.milliseconds(150)

    var isWaiting: Bool { ticket != nil }
}
