import JSON

/// The attributes of one span by their meanings, found in one pass; reused from span to span.
struct OTLPAttributes {
    /// An item of a flattened list.
    struct Item {
        var list: OTLPList
        var index: Int
        /// Rest of the name after the index and its dot; valid until the next `read`.
        var path: UnsafeBufferPointer<UInt8>
        var value: OTLPValue
    }

    private enum Origin {
        case file(JSONNode?)
        case record([SpanRecord.Attribute])
    }

    private var origin = Origin.record([])
    private let names = KeptNames()
    private var values = [OTLPValue?](repeating: nil, count: OTLPMeaning.allCases.count)
    private var ranks = [Int](repeating: 0, count: OTLPMeaning.allCases.count)
    private var found: [Int] = []
    /// In the order of the span.
    private(set) var items: [Item] = []
    private let table = OTLPMeaning.table

    /// Reads the list `attributes` of a span, event or log record.
    mutating func read(_ list: JSONNode?) {
        begin(.file(list))
        list?.forEachElement { pair in
            guard let key = pair["key"], let name = key.rawString, let value = pair["value"] else { return }
            let digest = key.hasEscapes ? key.withUTF8 { Digest.of($0) } ?? 1 : Digest.of(name)
            if !take(.wrapped(value), named: digest) { readItem(name, .wrapped(value)) }
        }
    }

    /// Reads the attributes of a record.
    mutating func read(_ attributes: [SpanRecord.Attribute]) {
        begin(.record(attributes))
        for attribute in attributes where !take(.owned(attribute.value), named: Digest.of(attribute.name)) {
            readItem(names.keep(attribute.name), .owned(attribute.value))
        }
    }

    private mutating func begin(_ origin: Origin) {
        self.origin = origin
        for place in found { values[place] = nil }
        found.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        names.removeAll()
    }

    /// Keeps a value if its name has a meaning and none is believed more; false for a name without a meaning.
    private mutating func take(_ value: OTLPValue, named digest: UInt64) -> Bool {
        guard let entry = table[digest] else { return false }
        let (place, rank) = (entry >> 8, entry & 0xFF)
        if values[place] == nil { found.append(place) } else if ranks[place] < rank { return true }
        values[place] = value
        ranks[place] = rank
        return true
    }

    private mutating func readItem(_ name: UnsafeBufferPointer<UInt8>, _ value: OTLPValue) {
        guard name.count > 10, name.last != UInt8(ascii: "_") else { return }
        let first = name[0]
        guard first == UInt8(ascii: "l") || first == UInt8(ascii: "g") || first == UInt8(ascii: "r") else { return }
        for (list, prefix) in OTLPList.prefixes where name.starts(with: prefix) {
            var place = prefix.utf8CodeUnitCount
            var index = 0
            let digits = place
            while place < name.count, name[place] &- 0x30 <= 9, place - digits < 9 {
                index = index * 10 + Int(name[place] - 0x30)
                place += 1
            }
            guard place > digits, place == name.count || name[place] == UInt8(ascii: ".") else { return }
            let path = UnsafeBufferPointer(rebasing: name[min(place + 1, name.count)...])
            items.append(Item(list: list, index: index, path: path, value: value))
            return
        }
    }

    /// The value of the most believed name that is there.
    subscript(meaning: OTLPMeaning) -> OTLPValue? { values[meaning.rawValue] }

    /// The place of that name in its row of the table.
    func rank(_ meaning: OTLPMeaning) -> Int? { values[meaning.rawValue] == nil ? nil : ranks[meaning.rawValue] }

    /// A string in lower case; `nil` if there is none.
    func lowered(_ meaning: OTLPMeaning) -> String? { self[meaning]?.string?.lowercased() }

    /// Returns whether an attribute's name starts with one of these.
    func hasName(startingWith prefixes: [StaticString]) -> Bool {
        switch origin {
        case .file(let list):
            list?.elements.contains { pair in
                guard let name = pair["key"]?.rawString else { return false }
                return prefixes.contains { name.starts(with: $0) }
            } ?? false
        case .record(let attributes):
            attributes.contains { attribute in prefixes.contains { attribute.name.hasPrefix($0.description) } }
        }
    }

    func tokens(_ meaning: OTLPMeaning) -> Int { Traces.tokens(self[meaning]?.int) }
}

/// Names of a record's attributes at fixed addresses.
private final class KeptNames {
    private var names: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { removeAll() }

    func keep(_ name: String) -> UnsafeBufferPointer<UInt8> {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
        _ = room.initialize(from: name.utf8)
        names.append(room)
        return UnsafeBufferPointer(room)
    }

    func removeAll() {
        for name in names { name.deallocate() }
        names.removeAll(keepingCapacity: true)
    }
}

extension UnsafeBufferPointer where Element == UInt8 {
    func starts(with prefix: StaticString) -> Bool {
        let length = prefix.utf8CodeUnitCount
        guard count >= length else { return false }
        for place in 0..<length where self[place] != prefix.utf8Start[place] { return false }
        return true
    }

    func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && starts(with: text) }
}
