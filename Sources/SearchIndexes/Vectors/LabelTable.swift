import Hashing

/// Finds the slot of a label: a table of slots by the labels' hashes, with open places; four bytes a place.
struct LabelTable: Sendable {
    private var places: [UInt32]
    private var used = 0
    /// Places that hold a slot or a grave.
    private var taken = 0

    private static let empty = UInt32.max
    private static let grave = UInt32.max - 1

    init(reserving count: Int = 0) { places = [UInt32](repeating: Self.empty, count: Self.size(for: count)) }

    private static func size(for count: Int) -> Int {
        var size = 16
        while count * 3 > size * 2 { size *= 2 }
        return size
    }

    private func place(of label: Int64) -> Int {
        var mixed = UInt64(bitPattern: label) &* SplitMix64.gamma
        mixed ^= mixed >> 32
        return Int(mixed & UInt64(places.count - 1))
    }

    func slot(of label: Int64, in labels: [Int64]) -> Int? {
        find(label, in: labels).map { Int(places[$0]) }
    }

    private func find(_ label: Int64, in labels: [Int64]) -> Int? {
        var place = place(of: label)
        while places[place] != Self.empty {
            let slot = places[place]
            if slot != Self.grave, labels[Int(slot)] == label { return place }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Notes the slot of a label, which has none yet.
    mutating func insert(_ label: Int64, slot: Int, labels: [Int64]) {
        if (taken + 1) * 4 > places.count * 3 { grow(labels, for: used + 1) }
        var place = place(of: label)
        while places[place] < Self.grave { place = (place + 1) & (places.count - 1) }
        if places[place] == Self.empty { taken += 1 }
        places[place] = UInt32(slot)
        used += 1
    }

    mutating func remove(_ label: Int64, in labels: [Int64]) -> Int? {
        guard let place = find(label, in: labels) else { return nil }
        let slot = places[place]
        places[place] = Self.grave
        used -= 1
        return Int(slot)
    }

    private mutating func grow(_ labels: [Int64], for count: Int) {
        let old = places
        places = [UInt32](repeating: Self.empty, count: Self.size(for: count))
        taken = used
        for slot in old where slot < Self.grave {
            var place = place(of: labels[Int(slot)])
            while places[place] != Self.empty { place = (place + 1) & (places.count - 1) }
            places[place] = slot
        }
    }
}
