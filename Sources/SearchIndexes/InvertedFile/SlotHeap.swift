/// The nearest slots so far, the farthest of them on top of a heap; of equally far ones the larger label is farther.
final class SlotHeap {
    struct Entry {
        var distance: Float
        var slot: UInt32
    }

    private(set) var count = 0
    private(set) var entries: UnsafeMutablePointer<Entry>
    private var room: Int
    private var capacity = 0

    init() {
        room = 64
        entries = .allocate(capacity: room)
    }

    deinit { entries.deallocate() }

    /// Empties the heap and sets its capacity in slots.
    func reset(capacity: Int) {
        if capacity > room {
            entries.deallocate()
            room = capacity
            entries = .allocate(capacity: room)
        }
        self.capacity = capacity
        count = 0
    }

    /// What is farther than this is not kept.
    var limit: Float { count < capacity ? .infinity : capacity == 0 ? -.infinity : entries[0].distance }

    /// Keeps the slot if it is among the nearest.
    func offer(_ distance: Float, _ slot: UInt32, _ labels: UnsafePointer<Int64>?) {
        let entry = Entry(distance: distance, slot: slot)
        if count < capacity {
            var hole = count
            count += 1
            while hole > 0 {
                let parent = (hole - 1) / 2
                guard isFarther(entry, entries[parent], labels) else { break }
                entries[hole] = entries[parent]
                hole = parent
            }
            entries[hole] = entry
        } else if capacity > 0, isFarther(entries[0], entry, labels) {
            sink(entry, count, labels)
        }
    }

    /// Nearest first, in `entries`; nothing can be offered after it.
    func sort(_ labels: UnsafePointer<Int64>?) {
        var end = count
        while end > 1 {
            end -= 1
            let last = entries[end]
            entries[end] = entries[0]
            sink(last, end, labels)
        }
    }

    private func sink(_ entry: Entry, _ end: Int, _ labels: UnsafePointer<Int64>?) {
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < end else { break }
            if child + 1 < end, isFarther(entries[child + 1], entries[child], labels) { child += 1 }
            guard isFarther(entries[child], entry, labels) else { break }
            entries[hole] = entries[child]
            hole = child
        }
        entries[hole] = entry
    }

    private func isFarther(_ one: Entry, _ other: Entry, _ labels: UnsafePointer<Int64>?) -> Bool {
        if one.distance != other.distance { return one.distance > other.distance }
        guard let labels else { return one.slot > other.slot }
        return labels[Int(one.slot)] > labels[Int(other.slot)]
    }
}
