extension Escape {
    /// Returns untrusted text in a form that is safe to print on a terminal.
    ///
    /// Control characters, and characters that hide or reorder text, are replaced with visible substitutes.
    /// - Parameter keepingLines: Whether line feeds stay.
    public static func printable(_ text: String, keepingLines: Bool = false) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isSafe = ScalarClass.of(scalar.value) != .hidden || scalar == "\n" && keepingLines
            if isSafe { result.append(scalar) } else { result.append(contentsOf: Self.text(of: scalar).unicodeScalars) }
        }
        return String(result)
    }
}
