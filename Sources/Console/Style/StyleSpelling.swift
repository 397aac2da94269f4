internal import Configuration
package import System

/// A parser for styles in theme files and settings, such as `203 bold`, `on 237`, or `#ffd75f italic on shadow`.
package struct StyleSpelling {
    /// Colors that the theme names, in addition to the terminal's sixteen colors.
    package var palette: [String: Color]

    package init(palette: [String: Color] = [:]) { self.palette = palette }

    package func style(_ text: String) throws(Problem) -> Style {
        var style = Style.plain
        var words = text.split(separator: " ").map(String.init)[...]
        var hasForeground = false
        while let word = words.popFirst() {
            if let attribute = Self.attributes[word] {
                style.attributes.formUnion(attribute)
            } else if word == "on" {
                guard let name = words.popFirst() else {
                    throw Problem(.missing, "", "missing color after \"on\"", remedy: "Example: \"on 237\".")
                }
                style.background = try color(name)
            } else {
                guard !hasForeground else {
                    throw Problem(
                        .invalid, "", "second color \"\(word)\"", remedy: "Write \"on \(word)\" to set the background.")
                }
                style.foreground = try color(word)
                hasForeground = true
            }
        }
        return style
    }

    package func color(_ word: String) throws(Problem) -> Color {
        if let color = palette[word] ?? Self.named[word] { return color }
        if word.hasPrefix("#") {
            guard word.utf8.count == 7, let value = UInt32(word.dropFirst(), radix: 16) else {
                throw Problem(
                    .invalid, "", "invalid color \"\(word)\"", remedy: "Use #rrggbb, with six hexadecimal digits.")
            }
            return .rgb(
                UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value))
        }
        if let number = Int(word) {
            guard let index = UInt8(exactly: number) else {
                throw Problem(.invalid, "", "color \(number) is out of range", remedy: "Use 0 to 255.")
            }
            return .indexed(index)
        }
        let known = Array(palette.keys) + Array(Self.named.keys) + Array(Self.attributes.keys)
        throw Problem(
            .unknown, "", "unknown color or attribute \"\(word)\"",
            remedy: NearestName.suggestion(for: word, among: known)
                ?? "Use a color name, 0 to 255, #rrggbb, or an attribute such as bold.")
    }

    private static let attributes: [String: Style.Attributes] = [
        "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse,
        "strikethrough": .strikethrough,
    ]

    private static let named: [String: Color] = [
        "default": .terminal, "black": .indexed(0), "red": .indexed(1), "green": .indexed(2), "yellow": .indexed(3),
        "blue": .indexed(4), "magenta": .indexed(5), "cyan": .indexed(6), "white": .indexed(7),
        "bright-black": .indexed(8), "bright-red": .indexed(9), "bright-green": .indexed(10),
        "bright-yellow": .indexed(11), "bright-blue": .indexed(12), "bright-magenta": .indexed(13),
        "bright-cyan": .indexed(14), "bright-white": .indexed(15),
    ]
}
