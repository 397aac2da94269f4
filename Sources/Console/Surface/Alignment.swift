/// Positions of text in a wider space.
public enum Alignment: Hashable, Sendable {
    /// Left-aligned, centered, or right-aligned.
    case left, center, right

    /// Returns the number of blanks before the text, given the total number of blanks.
    package func lead(of blanks: Int) -> Int {
        switch self {
        case .left: 0
        case .center: max(0, blanks) / 2
        case .right: max(0, blanks)
        }
    }
}

extension String {
    /// Returns the text truncated to a number of columns, with `…` at the end if it was longer.
    ///
    /// Columns are counted the way a surface draws the text.
    public func truncated(toColumns columns: Int) -> String {
        guard columns > 0 else { return "" }
        return DisplayWidth.withUTF8(of: self) { bytes in
            if DisplayWidth.measure(bytes, upTo: columns).isAll { return self }
            let head = DisplayWidth.measure(bytes, upTo: columns - 1).bytes
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<head]), as: UTF8.self) + "…"
        }
    }

    /// Returns the text truncated after a whole word, with `…` at the end if it was longer.
    ///
    /// If whole words would fill less than half of the columns, the text is truncated inside a word.
    public func truncatedBetweenWords(toColumns columns: Int) -> String {
        let cut = truncated(toColumns: columns)
        guard cut.utf8.count > 3, cut != self else { return cut }
        func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "_.'’".contains(character)
        }
        var head = cut.dropLast()
        if let next = dropFirst(head.count).first, isWord(next) {
            while let last = head.last, isWord(last) { head.removeLast() }
        }
        while let last = head.last, last.isWhitespace || "-–:,;·/(".contains(last) { head.removeLast() }
        return 2 * DisplayWidth.of(head) >= columns ? String(head) + "…" : cut
    }

    /// Returns the text truncated or padded with blanks to exactly a number of columns.
    public func paddedToColumns(_ columns: Int, _ alignment: Alignment = .left) -> String {
        let text = truncated(toColumns: columns)
        let blanks = columns - DisplayWidth.of(text)
        guard blanks > 0 else { return text }
        let lead = alignment.lead(of: blanks)
        return String(repeating: " ", count: lead) + text + String(repeating: " ", count: blanks - lead)
    }
}
