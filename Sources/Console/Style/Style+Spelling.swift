internal import Formatting

extension Style {
    /// Style in the notation of theme files, such as `203 bold on 237`.
    public var spelling: String {
        var words: [String] = []
        if foreground != .terminal { words.append(foreground.spelling) }
        let names: [(Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
            (.strikethrough, "strikethrough"),
        ]
        words += names.filter { attributes.contains($0.0) }.map(\.1)
        if background != .terminal { words += ["on", background.spelling] }
        return words.isEmpty ? "default" : words.joined(separator: " ")
    }
}

extension Color {
    /// Color in the notation of theme files, such as `default`, `203`, or `#ffd75f`.
    public var spelling: String {
        switch kind {
        case .terminal: "default"
        case .indexed(let index): String(index)
        case .rgb(let red, let green, let blue):
            "#" + [red, green, blue].map { Format.hexadecimal($0, digits: 2) }.joined()
        }
    }

    /// Color as `#rrggbb`; indices use xterm's palette. `nil` for the terminal's default color.
    package var rgbSpelling: String? {
        rgb.map { "#" + [$0.red, $0.green, $0.blue].map { Format.hexadecimal(UInt8($0), digits: 2) }.joined() }
    }
}
