internal import Console

extension Actions {
    /// Adds `u`, which undoes the deletions and renamings made on the page in this session, the last one first.
    ///
    /// - Parameters:
    ///   - changes: Changes that can be undone.
    ///   - undo: Undoes the change with a row in the undo stack and returns a message, or `nil` if the change is no
    ///     longer there.
    package mutating func addUndo(
        _ changes: WritableKeyPath<P, [OwnChange]>, undo: @escaping @Sendable (P.Engine, Int64) throws -> String?
    ) {
        add(
            "u", name: "undo", "undo the last delete or rename on this page", writes: true,
            wording: { $0[keyPath: changes].last?.wording },
            unless: { $0[keyPath: changes].isEmpty ? OwnChange.none : nil }
        ) { page in
            guard let change = page[keyPath: changes].last else { return [] }
            return page.write {
                try undo($0, change.row)
            } then: { page, sentence in
                page[keyPath: changes].removeAll { $0 == change }
                return [.notify(sentence ?? change.isGone, sentence == nil ? .warning : .success), .changed]
            }
        }
    }
}
