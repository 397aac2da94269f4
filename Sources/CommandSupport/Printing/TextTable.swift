import Console
import Tables

/// Columns aligned for a terminal; the last column takes the width that it needs.
package struct TextTable {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    package init(_ titles: [String], rightAligned: Set<Int> = []) {
        rows = [titles]
        self.rightAligned = rightAligned
    }

    package mutating func add(_ row: [String]) { rows.append(row.map(Printable.line)) }

    package var text: String {
        PlainTable.text(rows, rows[0].indices.map { rightAligned.contains($0) ? .right : .left })
    }
}

/// Text made safe to print: control characters are shown instead of being interpreted by the terminal.
package enum Printable {
    package static func line(_ text: String) -> String { Escape.printable(text) }
    package static func text(_ text: String) -> String {
        Escape.printable(text, keepingLines: true)
    }
}

extension String {
    /// Pads the text with spaces to a width, at the end or, for numbers, at the beginning.
    package func padded(to width: Int, atBeginning: Bool = false) -> String {
        let room = String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
        return atBeginning ? room + self : self + room
    }
}
