extension Surface {
    /// Returns the surface as lines with color sequences (SGR), for printing a screen to a terminal.
    ///
    /// Colors are quantized to the color depth; in monochrome only attributes remain. Invisible blanks at the ends of
    /// rows are left out, and every line ends in the terminal's default style.
    public func ansi(colors depth: ColorDepth) -> String {
        let quantizer = Quantizer(depth)
        var output = ""
        for row in 0..<size.rows {
            let cells = cells[row * size.columns..<(row + 1) * size.columns]
            let last = cells.lastIndex { $0.glyph != 0x20 || $0.style.isVisibleOnBlanks }
            var current = Style.plain
            var sequence = Self.reset
            for cell in cells[..<(last.map { $0 + 1 } ?? cells.startIndex)] where cell.width != 0 {
                if cell.style != current {
                    // Styles that differ only in colors have the same sequence in monochrome.
                    let next = cell.style.sequence(quantizer)
                    if next != sequence { output += next }
                    sequence = next
                    current = cell.style
                }
                append(cell, to: &output)
            }
            if sequence != Self.reset { output += Self.reset }
            output += "\n"
        }
        return output
    }

    private static let reset = "\u{1B}[0m"
}

extension Style {
    /// Whether the style changes the appearance of a blank.
    var isVisibleOnBlanks: Bool {
        background != .terminal || !attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
    }

    /// Returns the sequence that sets the style and resets everything else.
    fileprivate func sequence(_ quantizer: Quantizer) -> String {
        var codes = ["0"]
        let foreground = quantizer.entry(for: foreground)
        let codesOfAttributes: [(Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
        ]
        let shown = foreground.bright ? attributes.union(.bold) : attributes
        codes += codesOfAttributes.filter { shown.contains($0.0) }.map(\.1)
        if let index = foreground.index { codes.append(Self.code(index, base: 30)) }
        if let index = quantizer.entry(for: background).index { codes.append(Self.code(index, base: 40)) }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private static func code(_ index: UInt8, base: Int) -> String {
        if index < 8 { return String(base + Int(index)) }
        if index < 16 { return String(base + 52 + Int(index)) }
        return "\(base + 8);5;\(index)"
    }
}
