internal import Console

/// A deletion or renaming made on one page in this session: the only changes that `u` undoes there.
package struct OwnChange: Hashable, Sendable {
    /// Row in the undo stack of the workspace.
    let row: Int64
    /// `deletion` or `renaming`.
    private let kind: String
    /// Name of the run, or number of runs.
    private let name: String

    /// Creates a change to undo.
    ///
    /// - Parameter row: Row in the undo stack; stores return `nil` if nothing changed, and then there is nothing to
    ///   undo.
    init?(_ kind: String, of name: String, row: Int64?) {
        guard let row else { return nil }
        self.row = row
        self.kind = kind
        self.name = Escape.printable(name).truncated(toColumns: 40)
    }

    static let none = "nothing left to undo: u undoes only deletes and renames made on this page"

    var wording: ActionWording {
        ActionWording(hint: "undo \(kind)", description: "undo the \(kind) of \(name)", isFirst: true)
    }

    /// The reply if the change is no longer in the undo stack.
    var isGone: String { "the \(kind) of \(name) can no longer be undone" }
}
