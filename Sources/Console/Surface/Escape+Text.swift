extension Escape {
    /// One line of text from outside as it may be printed on a terminal: what a terminal would act on, and what would
    /// hide or reorder text, is shown instead.
    ///
    /// - Parameter keepingLines: whether line feeds stay.
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
