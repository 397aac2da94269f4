/// An error for invalid TOML, with its line.
package struct TOMLProblem: Error, Hashable, Sendable {
    /// Line number, starting at 1; `nil` if unknown.
    package let line: Int?
    /// Description of the error, without a period.
    package let words: String

    /// Complete description, without the line: `invalid TOML: ...`.
    package var sentence: String { "invalid TOML: \(words)" }
}
