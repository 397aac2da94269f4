/// A movement within a list, a tree, or a text, by keys that mean the same everywhere.
public enum Motion: Hashable, Sendable {
    /// Movement by rows or pages, up if negative, or to the first or last row.
    case rows(Int), pages(Int), start, end
    /// Columns, to the left if negative: scrolls text, or closes or opens a branch of a tree.
    case columns(Int)
}

extension ListView {
    /// Moves the selection.
    public mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): move(by: rows)
        case .pages(let pages): movePages(pages)
        case .start: moveToStart()
        case .end: moveToEnd()
        case .columns: break
        }
    }
}

extension Tree {
    /// Moves the selection, or closes or opens a branch.
    public mutating func move(_ motion: Motion) {
        switch motion {
        case .columns(let step): if step < 0 { closeOrAscend() } else { openOrDescend() }
        default: move { $0.move(motion) }
        }
    }
}

extension TextView {
    /// Scrolls; a column is a step of eight.
    public mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): scroll(by: rows)
        case .pages(let pages): scrollPages(by: pages)
        case .start: scrollToTop()
        case .end: scrollToEnd()
        case .columns(let step): scrollSideways(by: step * 8)
        }
    }
}

extension TrendChart {
    /// Moves the cursor; at the edge, the view moves with the cursor.
    public mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): moveCursor(by: rows)
        case .pages(let pages): moveCursor(by: 20 * pages)
        case .start: moveCursorToStart()
        case .end: moveCursorToEnd()
        case .columns(let step): if !moveCursor(by: step) { pan(by: step < 0 ? -1 : 1) }
        }
    }
}
