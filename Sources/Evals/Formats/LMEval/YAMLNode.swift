internal import JSON
internal import System
internal import Yams

/// A value of a YAML file with its line, for error messages.
struct YAMLNode {
    enum Content {
        case value(JSONValue)
        case list([YAMLNode])
        case map([(key: String, node: YAMLNode)])
        /// A tagged value, such as `!function utils.process`: its tag and text.
        case tagged(String, String)
    }

    var content: Content
    var path: String
    /// Line number, starting at 1.
    var line: Int

    /// Parses a document.
    ///
    /// - Throws: `Problem` with the line of invalid YAML.
    init(parsing text: String, path: String) throws(Problem) {
        let node: Yams.Node?
        do {
            // A byte order mark is not part of the text.
            let mark = "\u{FEFF}".unicodeScalars
            let scalars = text.unicodeScalars
            node = try Yams.compose(
                yaml: scalars.starts(with: mark) ? String(scalars.dropFirst()) : text)
        } catch let error as YamlError {
            var line: Int?
            var problem = "invalid YAML"
            switch error {
            case .scanner(let context, let what, let mark, _), .parser(let context, let what, let mark, _),
                .composer(let context, let what, let mark, _):
                line = mark.line
                problem += ": " + (context.map { "\($0.text) " } ?? "") + what
            case .duplicatedKeysInMapping(let duplicates, let context):
                line = context.mark.line
                problem = "duplicate key: " + duplicates.sorted().joined(separator: ", ")
            default: break
            }
            throw Problem(.failed, path, line: line, problem)
        } catch {
            throw Problem(.invalid, path, "invalid YAML")
        }
        guard let node else { throw Problem(.missing, path, "the file is empty") }
        var budget = 1 << 20
        try self.init(node, path: path, depth: 0, budget: &budget)
    }

    private init(_ node: Yams.Node, path: String, depth: Int, budget: inout Int) throws(Problem) {
        self.path = path
        line = node.mark?.line ?? 1
        budget -= 1
        // Aliases can expand a few lines into an endless document.
        guard depth < 64, budget > 0 else {
            throw Problem(.limit, path, line: line, "the file is nested too deeply or has too many aliases")
        }
        let tag = node.tag.description
        switch node {
        case .scalar(let scalar):
            if tag.hasPrefix("!") {
                content = .tagged(tag, scalar.string)
            } else {
                content = .value(Self.value(node, scalar.string, tag))
            }
        case .sequence(let sequence):
            var elements: [YAMLNode] = []
            for element in sequence {
                elements.append(try YAMLNode(element, path: path, depth: depth + 1, budget: &budget))
            }
            content = .list(elements)
        case .mapping(let mapping):
            var members: [(key: String, node: YAMLNode)] = []
            for (key, value) in mapping {
                guard let name = key.scalar?.string else {
                    throw Problem(.invalid, path, line: key.mark?.line ?? line, "a key must be a plain string")
                }
                members.append((name, try YAMLNode(value, path: path, depth: depth + 1, budget: &budget)))
            }
            content = .map(members)
        case .alias:
            throw Problem(.missing, path, line: line, "an alias names an anchor that does not exist")
        }
    }

    private static func value(_ node: Yams.Node, _ text: String, _ tag: String) -> JSONValue {
        switch tag {
        case "tag:yaml.org,2002:null": return .null
        case "tag:yaml.org,2002:bool": return node.bool.map { .bool($0) } ?? .string(text)
        case "tag:yaml.org,2002:int": return node.int.map { .integer($0) } ?? .string(text)
        case "tag:yaml.org,2002:float":
            // YAML 1.1 numbers need a decimal point: `1e3` is a text.
            guard text.contains(".") else { return .string(text) }
            return node.float.map { .number($0) } ?? .string(text)
        default: return .string(text)
        }
    }

    subscript(key: String) -> YAMLNode? {
        guard case .map(let members) = content else { return nil }
        return members.last { $0.key == key }?.node
    }

    /// The value without positions; `nil` if it contains a tag.
    var value: JSONValue? {
        switch content {
        case .value(let value): return value
        case .list(let elements):
            var values: [JSONValue] = []
            for element in elements {
                guard let value = element.value else { return nil }
                values.append(value)
            }
            return .array(values)
        case .map(let members):
            var entries: [JSONValue.Member] = []
            for (key, node) in members {
                guard let value = node.value else { return nil }
                entries.append(JSONValue.Member(key: key, value: value))
            }
            return .object(entries)
        case .tagged: return nil
        }
    }

    /// The first tag in the value, with its position.
    var tagged: YAMLNode? {
        switch content {
        case .value: nil
        case .list(let elements): elements.lazy.compactMap(\.tagged).first
        case .map(let members): members.lazy.compactMap(\.node.tagged).first
        case .tagged: self
        }
    }

    func error(_ problem: String, _ remedy: String = "") -> Problem {
        Problem(.failed, path, line: line, problem, remedy: remedy)
    }
}
