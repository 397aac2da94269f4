internal import JSON
internal import System
internal import Tensors

/// Rows of local files as in lm-evaluation-harness: columns in the order of first appearance, null for missing columns,
/// and integers as floats if a column has both.
enum LMEvalRows {
    /// Reads the files of a split.
    static func read(_ paths: [String], kind: String, at node: YAMLNode) throws(Problem) -> [JSONValue] {
        var rows: [JSONValue] = []
        for path in paths {
            let file: MappedFile
            do {
                file = try MappedFile(path)
            } catch {
                throw node.error(
                    "\(path) cannot be read", "Name an existing file, relative to the task or with its full path.")
            }
            guard file.bytes.count <= 1 << 30 else { throw node.error("\(path) is larger than 1 GiB") }
            if path.hasSuffix(".parquet") {
                throw node.error("\(path) is a Parquet file, which is not supported", "Convert it to JSON Lines first.")
            }
            if path.hasSuffix(".gz") || path.hasSuffix(".zst") {
                throw node.error("\(path) is compressed, which is not supported", "Decompress it to JSON Lines first.")
            }
            rows += try kind == "csv" ? table(file.bytes, path) : objects(file.bytes, path)
        }
        return unified(rows)
    }

    /// Parses JSON Lines, or one list of objects.
    private static func objects(_ bytes: UnsafeRawBufferPointer, _ path: String) throws(Problem) -> [JSONValue] {
        let text = bytes.bindMemory(to: UInt8.self)
        if let first = text.first(where: { $0 > 0x20 }), first == UInt8(ascii: "[") {
            guard let value = try? JSONValue(json: String(decoding: text, as: UTF8.self)), let rows = value.elements
            else { throw Problem(.invalid, path, "the file is not a list of JSON objects") }
            return rows
        }
        var rows: [JSONValue] = []
        var line = 0
        for part in text.split(separator: 10, omittingEmptySubsequences: false) {
            line += 1
            if part.allSatisfy({ $0 <= 0x20 }) { continue }
            guard let value = try? JSONValue(json: String(decoding: part, as: UTF8.self)), value.members != nil else {
                throw Problem(.invalid, path, line: line, "the line is not a JSON object")
            }
            rows.append(value)
        }
        return rows
    }

    /// Returns rows with one set of columns.
    static func unified(_ rows: [JSONValue]) -> [JSONValue] {
        let shape = Shape()
        for row in rows { shape.take(row) }
        return rows.map { shape.made($0) }
    }

    /// The type of a column.
    private final class Shape {
        private var names: [String] = []
        private var members: [String: Shape] = [:]
        private var element: Shape?
        private var hasFractions = false

        func take(_ value: JSONValue) {
            switch value {
            case .number: hasFractions = true
            case .array(let elements):
                let shape = element ?? Shape()
                element = shape
                for element in elements { shape.take(element) }
            case .object(let entries):
                for entry in entries {
                    if let shape = members[entry.key] {
                        shape.take(entry.value)
                    } else {
                        let shape = Shape()
                        shape.take(entry.value)
                        members[entry.key] = shape
                        names.append(entry.key)
                    }
                }
            default: break
            }
        }

        func made(_ value: JSONValue) -> JSONValue {
            switch value {
            case .integer(let number) where hasFractions: return .number(Double(number))
            case .array(let elements): return element.map { shape in .array(elements.map { shape.made($0) }) } ?? value
            case .object(let entries):
                var found: [String: JSONValue] = [:]
                for entry in entries { found[entry.key] = entry.value }
                return .object(
                    names.map { name in
                        JSONValue.Member(
                            key: name, value: found[name].flatMap { value in members[name]?.made(value) } ?? .null)
                    })
            default: return value
            }
        }
    }
}
