internal import Glibc
internal import JSON
internal import System

/// Makes a document of a JSON object by the names of its members.
struct RecordMembers {
    private enum Role: Int { case text, title, id }

    private struct Name {
        var bytes: [UInt8]
        var role: Role
        var rank: Int
    }

    private let names: [Name]
    private let fields: RecordFields

    init(_ fields: RecordFields) {
        self.fields = fields
        func named(_ list: [String], _ role: Role) -> [Name] {
            list.enumerated().map { Name(bytes: Array($1.utf8), role: role, rank: $0) }
        }
        names = named(fields.text, .text) + named(fields.title, .title) + named(fields.id, .id)
    }

    private func name(of key: JSONNode) -> Name? {
        guard let raw = key.rawString else { return nil }
        return names.first { name in
            name.bytes.count == raw.count && memcmp(name.bytes, raw.baseAddress!, raw.count) == 0
        }
    }

    /// - Throws: `Problem` with the reason in `problem`.
    func document(of node: JSONNode, _ record: JSONRecord, _ file: SourceFile) throws -> SourceDocument {
        var chosen: [(node: JSONNode, rank: Int)?] = [nil, nil, nil]
        var rest: [(key: JSONNode, value: JSONNode, role: Role?)] = []
        if node.kind == .string {
            chosen[0] = (node, 0)
        } else if node.kind != .object {
            throw Problem(.invalid, file.path, "the record is neither an object nor a string")
        }
        for (key, value) in node.members {
            guard let name = name(of: key), isFit(value, for: name.role) else {
                rest.append((key, value, nil))
                continue
            }
            if let other = chosen[name.role.rawValue], other.rank <= name.rank {
                rest.append((key, value, name.role))
                continue
            }
            chosen[name.role.rawValue] = (value, name.rank)
            rest.append((key, value, name.role))
        }
        guard let body = chosen[Role.text.rawValue]?.node else {
            let list = fields.text.joined(separator: ", ")
            throw Problem(.missing, file.path, "no text in any of the members \(list)")
        }
        var document = SourceDocument(
            id: chosen[Role.id.rawValue].map { Self.word($0.node) } ?? "\(file.name)#\(record.line)",
            title: chosen[Role.title.rawValue].map { Self.word($0.node) } ?? "", text: body.string ?? "",
            kind: file.kind,
            origin: SourceOrigin(
                path: file.path, bytes: record.offset..<record.offset + record.length, line: record.line))
        document.offsets = Self.offsets(of: body, length: document.text.utf8.count, base: record.offset)
        for (key, value, role) in rest {
            if let role, chosen[role.rawValue]?.node.byteRange == value.byteRange { continue }
            // Members of one level keep their names; those of `metadata` are as good as the record's own.
            if value.kind == .object, key.equals("metadata") {
                for (inner, fact) in value.members where document.metadata[inner.string ?? ""] == nil {
                    document.metadata[inner.string ?? ""] = MetadataValue(fact)
                }
            } else {
                document.metadata[key.string ?? ""] = MetadataValue(value)
            }
        }
        return document
    }

    private func isFit(_ value: JSONNode, for role: Role) -> Bool {
        switch role {
        case .text: value.kind == .string
        case .title, .id: value.kind == .string || value.kind == .number
        }
    }

    private static func word(_ node: JSONNode) -> String {
        node.string ?? String(decoding: node.source, as: UTF8.self)
    }

    /// Returns the place of a string's unescaped text in the file; `nil` if the escapes cannot be mapped.
    private static func offsets(of node: JSONNode, length: Int, base: Int) -> OffsetMap? {
        let start = base + node.byteRange.lowerBound + 1
        guard node.hasEscapes, let raw = node.rawString, let bytes = raw.baseAddress else {
            return OffsetMap(base: start)
        }
        var builder = OffsetMap.Builder()
        var source = 0
        var text = 0
        while source < raw.count {
            let found = memchr(bytes + source, 0x5C, raw.count - source)
            let next = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(bytes) } ?? raw.count
            if next > source {
                builder.add(text: text, source: source)
                text += next - source
                source = next
            }
            guard source < raw.count else { break }
            let (taken, made) = escape(raw, source)
            builder.add(text: text, source: source, textStep: made, sourceStep: taken)
            text += made
            source += taken
        }
        return text == length ? builder.map(base: start) : nil
    }

    /// Returns the bytes of the escape at a place, and those of the UTF-8 that it means.
    private static func escape(_ raw: UnsafeBufferPointer<UInt8>, _ place: Int) -> (taken: Int, made: Int) {
        guard place + 1 < raw.count else { return (1, 3) }
        switch raw[place + 1] {
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal(raw, place + 2) else { return (2, 3) }
            if (0xD800..<0xDC00).contains(unit), place + 11 < raw.count, raw[place + 6] == 0x5C,
                raw[place + 7] == UInt8(ascii: "u"), let low = hexadecimal(raw, place + 8),
                (0xDC00..<0xE000).contains(low)
            {
                return (12, 4)
            }
            return (6, unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return (2, 1)
        default: return (2, 3)
        }
    }

    private static func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        guard place + 4 <= raw.count else { return nil }
        var value = 0
        for offset in place..<place + 4 {
            switch raw[offset] {
            case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
                value = value << 4 | Int(byte & 15)
            case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20):
                value = value << 4 | (Int(byte & 15) + 9)
            default: return nil
            }
        }
        return value
    }
}
