package import TOMLKit

/// A TOML text that was read: its values, and the lines on which they stand.
///
/// Every file of settings, tasks, pipelines, prices and devices comes in here. The parser is toml++ by way of TOMLKit; what
/// it would abort the process for is found before it sees the text.
package struct TOMLDocument {
    package let root: TOMLTable
    package let lines: TOMLLines

    package init(_ text: String) throws(TOMLProblem) {
        let statements = TOMLStatements(text)
        if let problem = statements.problem { throw problem }
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw TOMLProblem(line: error.source.begin.line, words: String(error.description.prefix(200)))
        } catch {
            throw TOMLProblem(line: nil, words: "it cannot be read")
        }
        lines = TOMLLines(statements)
    }
}
