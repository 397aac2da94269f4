/// An error in a theme file, with its line.
public struct ThemeError: Error, Hashable, Sendable {
    /// Line number, starting at 1; `nil` if the error has no line.
    public var line: Int?
    /// Problem and remedy.
    public var problem: String

    package init(line: Int?, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    /// Message for the user, such as `line 12: unknown role "selektion". Did you mean "selection"?`
    public var sentence: String { line.map { "line \($0): \(problem)" } ?? problem }
}

extension ThemeError: CustomStringConvertible {
    public var description: String { sentence }
}
