internal import Formatting
internal import JSON
internal import System

/// A test of a promptfoo file, merged with the default test.
struct PromptfooTest {
    var description: String?
    var variables: [JSONValue.Member] = []
    var assertions: [YAMLNode] = []
    var threshold: Double?
    /// Text before the prompt; `suffix` is the text after it.
    var prefix: String?
    var suffix: String?
    var node: YAMLNode
}

extension PromptfooTask {
    private static let mostTests = 1_000_000

    /// Returns the tests; each value in a list of values becomes a separate test.
    func tests() throws(Problem) -> [PromptfooTest] {
        var shared = PromptfooTest(node: root)
        if let node = root["defaultTest"] {
            if node.value?.string != nil {
                throw node.error("defaultTest in another file is not supported", "Write it here.")
            }
            shared = try test(node, shared)
        }
        guard let node = root["tests"] else { return [shared] }
        var tests: [PromptfooTest] = []
        for entry in node.elements {
            if let name = entry.value?.string {
                tests += try rows(name, entry, shared)
            } else {
                tests += try expanded(try test(entry, shared), entry)
            }
            guard tests.count <= Self.mostTests else { throw entry.error("the file has more than a million tests") }
        }
        return tests
    }

    private func test(_ node: YAMLNode, _ shared: PromptfooTest) throws(Problem) -> PromptfooTest {
        var test = shared
        test.node = node
        for (key, value) in node.members {
            switch key {
            case "description": test.description = value.value?.plainText
            case "threshold": test.threshold = try value.share(of: "the test's threshold")
            case "assert": test.assertions += value.elements
            case "vars":
                guard case .map = value.content else {
                    throw value.error("vars must be a mapping from names to values")
                }
                for (name, variable) in value.members {
                    guard let found = variable.value else {
                        throw variable.error("\(name) has a tag, which is not supported")
                    }
                    if let text = found.string, text.hasPrefix("file://") {
                        let file = place(text)
                        guard !file.hasSuffix(".py"), !file.hasSuffix(".js") else {
                            throw variable.error("\(text) is code, which is not supported as a variable")
                        }
                        guard let bytes = SmallFile.content(file, limit: 16 << 20) else {
                            throw variable.error("\(file) cannot be read", "Name an existing file.")
                        }
                        test.set(name, .string(String(decoding: bytes, as: UTF8.self)))
                    } else {
                        test.set(name, found)
                    }
                }
            case "options":
                for (name, option) in value.members { try take(name, option, into: &test) }
            case "metadata", "id": break
            case "provider", "providers", "prompts":
                throw value.error(
                    "a test's \(key) is not supported",
                    "Every test runs with every prompt and model. To restrict a test, put it in a separate file."
                )
            case "assertScoringFunction": throw value.error("\(key) runs code, which is not supported")
            default:
                throw value.error(
                    "unknown key \(key) in a test", "Supported: description, vars, assert, threshold, options.")
            }
        }
        return test
    }

    /// Reads an option of a test.
    private func take(_ name: String, _ node: YAMLNode, into test: inout PromptfooTest) throws(Problem) {
        switch name {
        case "prefix", "suffix":
            guard let text = node.value?.string else { throw node.error("options.\(name) must be a string") }
            if name == "prefix" { test.prefix = text } else { test.suffix = text }
        case "disableVarExpansion": break
        case _ where name.lowercased().contains("transform"):
            throw node.error("\(name) runs JavaScript or Python, which is not supported")
        case "provider": throw node.error("options.provider is not supported", "Choose the judge with --judge.")
        default:
            throw node.error("options.\(name) is not supported", "Supported: prefix, suffix, disableVarExpansion.")
        }
    }

    /// Returns one test for each value of a variable that holds a list.
    private func expanded(_ test: PromptfooTest, _ node: YAMLNode) throws(Problem) -> [PromptfooTest] {
        if node["options"]?["disableVarExpansion"]?.value?.bool == true { return [test] }
        var tests = [test]
        for member in test.variables {
            guard let values = member.value.elements, !values.isEmpty else { continue }
            guard tests.count <= Self.mostTests / values.count else {
                throw node.error("the variables expand to more than a million tests")
            }
            tests = tests.flatMap { test in
                values.map { value in
                    var one = test
                    one.set(member.key, value)
                    return one
                }
            }
        }
        return tests
    }

    /// Returns the tests of a table: one per row, with columns as variables and `__expected` as a short assertion.
    private func rows(_ name: String, _ node: YAMLNode, _ shared: PromptfooTest) throws(Problem) -> [PromptfooTest] {
        let file = place(name)
        guard [".csv", ".jsonl", ".json", ".csv.gz", ".jsonl.gz"].contains(where: { file.hasSuffix($0) }) else {
            throw node.error("tests in \(name) are not supported", "Write them here, or as CSV or JSON Lines.")
        }
        var tests: [PromptfooTest] = []
        try DataRows.read(file) { row throws(Problem) in
            var test = shared
            test.node = YAMLNode(content: .value(.null), path: file, line: row.line ?? 1)
            if file.hasSuffix(".csv") || row.fields["vars"] == nil {
                for member in row.fields.members ?? [] {
                    let text = member.value.plainText ?? ""
                    let cell = YAMLNode(.string(text), path: file, line: row.line ?? 1)
                    if member.key == "__description" {
                        test.description = text
                    } else if member.key == "__threshold" {
                        if !text.isEmpty { test.threshold = try cell.share(of: member.key) }
                    } else if member.key.hasPrefix("__expected") {
                        if !text.isEmpty { test.assertions.append(Self.short(text, file, row.line ?? 1)) }
                    } else if !member.key.hasPrefix("__") {
                        test.set(member.key, member.value)
                    }
                }
            } else {
                test = try self.test(YAMLNode(row.fields, path: file, line: row.line ?? 1), shared)
            }
            tests.append(test)
            return tests.count < options.limit ?? Self.mostTests
        }
        return tests
    }

    /// Returns a short assertion such as `icontains: Paris`; a text without a type must equal the answer.
    private static func short(_ text: String, _ path: String, _ line: Int) -> YAMLNode {
        var (type, value) = ("equals", text)
        if let colon = text.firstIndex(of: ":") {
            let word = text[..<colon]
            let plain = word.hasPrefix("not-") ? word.dropFirst(4) : word
            let name = plain.prefix { $0 != "(" }
            if PromptfooChecks.types.contains(String(name)) || PromptfooChecks.refused.contains(String(name)) {
                type = String(word.hasPrefix("not-") ? "not-" + name : name)
                value = String(text[text.index(after: colon)...].drop { $0 == " " })
                if let open = plain.firstIndex(of: "("), let close = plain[open...].firstIndex(of: ")") {
                    // An invalid number is reported where the assertion is read.
                    let threshold = String(plain[plain.index(after: open)..<close])
                    return YAMLNode(
                        .object([
                            .init(key: "type", value: .string(type)), .init(key: "value", value: .string(value)),
                            .init(key: "threshold", value: .string(threshold)),
                        ]), path: path, line: line)
                }
            }
        } else if text == "is-json" || text == "contains-json" || text == "is-refusal" {
            return YAMLNode(.object([.init(key: "type", value: .string(text))]), path: path, line: line)
        }
        return YAMLNode(
            .object([.init(key: "type", value: .string(type)), .init(key: "value", value: .string(value))]), path: path,
            line: line)
    }
}

extension PromptfooTest {
    mutating func set(_ name: String, _ value: JSONValue) {
        if let place = variables.firstIndex(where: { $0.key == name }) {
            variables[place].value = value
        } else {
            variables.append(.init(key: name, value: value))
        }
    }
}

extension YAMLNode {
    /// Creates a node for a value on one line of another file.
    init(_ value: JSONValue, path: String, line: Int) {
        switch value {
        case .array(let elements): content = .list(elements.map { YAMLNode($0, path: path, line: line) })
        case .object(let members):
            content = .map(members.map { ($0.key, YAMLNode($0.value, path: path, line: line)) })
        default: content = .value(value)
        }
        (self.path, self.line) = (path, line)
    }

    init(content: Content, path: String, line: Int) {
        (self.content, self.path, self.line) = (content, path, line)
    }

    /// Returns a finite number of at least `least`; `nil` if there is none.
    func number(of name: String, from least: Double = -.infinity) throws(Problem) -> Double? {
        guard value != .null else { return nil }
        guard let number = value?.double ?? value?.string.flatMap({ Double($0.trimmed) }), number.isFinite else {
            throw error("\(name) must be a number", "Example: 0.5.")
        }
        guard number >= least else { throw error("\(name) must be at least \(Format.plain(least))") }
        return number
    }

    /// Returns a share of the assertions' weights, from 0 to 1.
    fileprivate func share(of name: String) throws(Problem) -> Double? {
        guard let share = try number(of: name, from: 0) else { return nil }
        guard share <= 1 else {
            throw error("\(name) must be at most 1", "Use the share of the assertions that must pass, from 0 to 1.")
        }
        return share
    }
}
