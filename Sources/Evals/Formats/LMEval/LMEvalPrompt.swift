internal import JSON
internal import System
internal import Tokenizers

/// Builds the prompt: description, examples, question, in the harness's order and with its delimiters.
struct LMEvalPrompt {
    let task: LMEvalDefinition
    let description: LMEvalField?
    let own: LMEvalWriting
    let examples: LMEvalWriting
    private let pool: [JSONValue]
    private var random: PythonRandom
    /// Whether a question must not be its own example, because both come from the same split.
    private let excludesOwn: Bool

    /// - Parameters:
    ///   - pool: Rows to draw examples from.
    ///   - seed: Seed for drawing examples.
    init(
        _ task: LMEvalDefinition, columns: Set<String>, pool: [JSONValue], seed: UInt64
    ) throws(Problem) {
        self.task = task
        self.pool = pool
        random = PythonRandom(seed: seed)
        own = try LMEvalWriting(task.own, of: task, columns: columns)
        examples = try LMEvalWriting(task.examples, of: task, columns: columns)
        description = try task.description.map { node throws(Problem) in try LMEvalField(node, columns: columns) }
        excludesOwn = task.exampleSplit == task.test
    }

    /// Returns the prompt of a row. Drawing continues from row to row, so callers must request rows in order.
    mutating func context(_ row: JSONValue) throws(Problem) -> String {
        var text = ""
        if let description {
            let value = try description.value(row)
            if value != .null { text = PythonLiteral.printed(value) }
        }
        if task.exampleCount > 0 {
            for example in try drawn(for: row) { text += try turn(example) }
        }
        let question = try own.question(row)
        text += question
        if let prefix = try own.prefix(row), !prefix.isEmpty {
            if Self.needsDelimiter(question, prefix) { text += task.targetDelimiter }
            text += prefix
        }
        return text
    }

    /// Returns a question with its answer.
    private func turn(_ row: JSONValue) throws(Problem) -> String {
        let question = try examples.question(row)
        let choices = try examples.choices(row)
        let target = try examples.target(row)
        let prefix = try examples.prefix(row) ?? ""
        let hasAnswer = target != .null && target != .string("")
        var text = question
        if hasAnswer && prefix.isEmpty || !prefix.isEmpty && Self.needsDelimiter(question, prefix) {
            text += task.exampleTargetDelimiter
        }
        guard hasAnswer else { return text + prefix }
        return text + Self.joined(prefix, try answer(target, choices)) + task.exampleFewshotDelimiter
    }

    private func answer(_ target: JSONValue, _ choices: [String]) throws(Problem) -> String {
        if !choices.isEmpty, let place = target.int ?? target.bool.map({ $0 ? 1 : 0 }) {
            let place = place < 0 ? choices.count + place : place
            if choices.indices.contains(place) { return choices[place] }
        }
        if let text = target.string ?? target.elements?.first?.string { return text }
        throw (examples.target?.node ?? examples.text.node).error(
            "the answer of an example must be a string, not \(PythonLiteral.printed(target))",
            "Convert it with a template: \"{{...}}\".")
    }

    /// Returns the examples for a row.
    private mutating func drawn(for row: JSONValue) throws(Problem) -> [JSONValue] {
        let count = task.exampleCount
        let tooFew = Problem(
            .invalid, task.path, line: task.line,
            "\(count) examples are requested, but the data has only \(pool.count) rows for them")
        if task.sampler == "first_n" {
            let rows = excludesOwn ? pool.filter { $0 != row } : pool
            guard rows.count >= count else { throw tooFew }
            return Array(rows.prefix(count))
        }
        guard pool.count >= count, !excludesOwn || pool.count > count else { throw tooFew }
        let wanted = excludesOwn ? count + 1 : count
        var rows = random.sample(pool.count, wanted).map { pool[$0] }
        guard excludesOwn else { return rows }
        rows = Array(rows.filter { $0 != row }.prefix(count))
        guard rows.count < count else { return rows }
        // The row occurs more than once in the pool: the harness then draws again from the rest.
        let rest = pool.filter { $0 != row }
        guard rest.count >= count else { throw tooFew }
        return random.sample(rest.count, count).map { rest[$0] }
    }

    /// Returns whether neither side has whitespace at the seam.
    static func needsDelimiter(_ before: String, _ after: String) -> Bool {
        guard let last = before.unicodeScalars.last, let first = after.unicodeScalars.first else { return false }
        return !PythonLiteral.isSpace(last) && !PythonLiteral.isSpace(first)
    }

    static func joined(_ before: String, _ after: String) -> String {
        needsDelimiter(before, after) ? before + " " + after : before + after
    }
}
