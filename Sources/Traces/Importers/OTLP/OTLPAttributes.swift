import JSON

/// The attributes of one span, found in one pass; reused from span to span.
struct OTLPAttributes {
    /// An item of a flattened list.
    struct Item {
        var list: OTLPList
        var index: Int
        /// What follows the index and its dot.
        var path: UnsafeBufferPointer<UInt8>
        var value: JSONNode
    }

    private var values = [JSONNode?](repeating: nil, count: OTLPMeaning.allCases.count)
    private var ranks = [Int](repeating: 0, count: OTLPMeaning.allCases.count)
    private var found: [Int] = []
    /// In the order of the span.
    private(set) var items: [Item] = []
    private let table = OTLPMeaning.table

    /// Reads the list `attributes` of a span, event or log record.
    mutating func read(_ list: JSONNode?) {
        for place in found { values[place] = nil }
        found.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        guard let list else { return }
        list.forEachElement { pair in
            guard let key = pair["key"], let name = key.rawString, let value = pair["value"] else { return }
            let digest = key.hasEscapes ? key.withUTF8 { Digest.of($0) } ?? 1 : Digest.of(name)
            if let entry = table[digest] {
                let (place, rank) = (entry >> 8, entry & 0xFF)
                if values[place] == nil { found.append(place) } else if ranks[place] < rank { return }
                values[place] = value
                ranks[place] = rank
            } else if let last = name.last, last != UInt8(ascii: "_") {
                readItem(name, value)
            }
        }
    }

    private mutating func readItem(_ name: UnsafeBufferPointer<UInt8>, _ value: JSONNode) {
        guard name.count > 10 else { return }
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
    subscript(meaning: OTLPMeaning) -> OTLPValue? { values[meaning.rawValue].map { .wrapped($0) } }

    /// The place of that name in its row of the table.
    func rank(_ meaning: OTLPMeaning) -> Int? { values[meaning.rawValue] == nil ? nil : ranks[meaning.rawValue] }

    /// A string in lower case; `nil` if there is none.
    func lowered(_ meaning: OTLPMeaning) -> String? {
        values[meaning.rawValue]?["stringValue"]?.string?.lowercased()
    }

    func tokens(_ meaning: OTLPMeaning) -> Int { Traces.tokens(self[meaning]?.int) }
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
