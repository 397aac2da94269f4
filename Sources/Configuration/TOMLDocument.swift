package import TOMLKit

/// A parsed TOML file: its values and their line numbers.
///
/// Orrery reads all settings, tasks, pipelines, prices, and devices with this type. The parser is toml++, through
/// TOMLKit. Some invalid files would make toml++ abort the process; this type rejects them before parsing.
package struct TOMLDocument {
    /// Values of the file.
    package let root: TOMLTable
    /// Line numbers of keys and tables.
    package let lines: TOMLLines

    /// Creates a document from its text.
    ///
    /// - Throws: `TOMLProblem` if the text is not valid TOML.
    package init(_ text: String) throws(TOMLProblem) {
        let statements = TOMLStatements(text)
        if let problem = statements.problem { throw problem }
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw TOMLProblem(line: error.source.begin.line, words: String(error.description.prefix(200)))
        } catch {
            throw TOMLProblem(line: nil, words: "the text cannot be parsed")
        }
        lines = TOMLLines(statements)
    }
}
