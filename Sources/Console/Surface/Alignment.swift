/// Where text stands in a width that is larger than it.
public enum Alignment: Hashable, Sendable {
    case left, center, right

    /// The blanks before the text when so many are to be shared out.
    package func lead(of blanks: Int) -> Int {
        switch self {
        case .left: 0
        case .center: max(0, blanks) / 2
        case .right: max(0, blanks)
        }
    }
}

extension String {
    /// The text cut to so many columns, ending in `…` where it was longer; measured as a surface draws it.
    public func truncated(toColumns columns: Int) -> String {
        guard columns > 0 else { return "" }
        return DisplayWidth.withUTF8(of: self) { bytes in
            if DisplayWidth.measure(bytes, upTo: columns).isAll { return self }
            let head = DisplayWidth.measure(bytes, upTo: columns - 1).bytes
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<head]), as: UTF8.self) + "…"
        }
    }

    /// The text cut to so many columns after a whole word, ending in `…` where it was longer. Where whole words would
    /// fill less than half of the columns, the last word is cut.
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

    /// The text cut or padded with blanks to exactly so many columns.
    public func paddedToColumns(_ columns: Int, _ alignment: Alignment = .left) -> String {
        let text = truncated(toColumns: columns)
        let blanks = columns - DisplayWidth.of(text)
        guard blanks > 0 else { return text }
        let lead = alignment.lead(of: blanks)
        return String(repeating: " ", count: lead) + text + String(repeating: " ", count: blanks - lead)
    }
}
