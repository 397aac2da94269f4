/// Why a theme file could not be used.
public struct ThemeError: Error, Hashable, Sendable {
    /// The line of the file, from 1; nil where no line is to blame.
    public var line: Int?
    /// What is wrong and what would be right.
    public var problem: String

    package init(line: Int?, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    /// One sentence: `line 12: no role is called selektion. Did you mean "selection"?`
    public var sentence: String { line.map { "line \($0): \(problem)" } ?? problem }
}

extension ThemeError: CustomStringConvertible {
    public var description: String { sentence }
}
