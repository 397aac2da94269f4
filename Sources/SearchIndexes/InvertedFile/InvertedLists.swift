internal import Glibc

/// Lists of slots with what is scanned of each: vectors or codes that lie one after the other.
///
/// One piece of memory a list: entries, then a number of each entry where there is one, then slots.
final class InvertedLists {
    struct List {
        fileprivate(set) var count = 0
        fileprivate(set) var room = 0
        fileprivate var memory: UnsafeMutableRawPointer?
        fileprivate let entryBytes: Int
        fileprivate let biasBytes: Int

        /// Entries of `entryBytes` each.
        var entries: UnsafeMutableRawPointer? { memory }
        /// What is added to an entry's distance.
        var bias: UnsafeMutablePointer<Float>? {
            biasBytes == 0 ? nil : (memory.map { $0 + entryBytes * room })?.assumingMemoryBound(to: Float.self)
        }
        var slots: UnsafeMutablePointer<UInt32>? {
            memory.map { ($0 + (entryBytes + biasBytes) * room).assumingMemoryBound(to: UInt32.self) }
        }
        /// Whether it changed since it was saved.
        var isChanged = true
    }

    let count: Int
    let entryBytes: Int
    let hasBias: Bool
    private(set) var lists: UnsafeMutablePointer<List>

    init(count: Int, entryBytes: Int, hasBias: Bool) {
        self.count = count
        self.entryBytes = entryBytes
        self.hasBias = hasBias
        lists = .allocate(capacity: max(count, 1))
        lists.initialize(repeating: List(entryBytes: entryBytes, biasBytes: hasBias ? 4 : 0), count: count)
    }

    deinit {
        for index in 0..<count { free(lists[index].memory) }
        lists.deallocate()
    }

    subscript(index: Int) -> List { lists[index] }

    /// Entries of all lists.
    var entryCount: Int { (0..<count).reduce(0) { $0 + lists[$1].count } }

    /// Bytes of memory that lists take.
    var byteCount: Int { (0..<count).reduce(0) { $0 + lists[$1].room * (entryBytes + (hasBias ? 8 : 4)) } }

    /// Makes room for `more` entries: exactly so much in an empty list, half as much again in another.
    func reserve(_ more: Int, in index: Int) throws(SegmentError) {
        let list = lists[index]
        guard list.count + more > list.room else { return }
        let room = list.count == 0 ? max(more, 4) : max(list.count + more, list.room + list.room / 2)
        // Pad so that bias and slots start at multiples of 4 even for odd entry sizes.
        let rounded = (room + 3) / 4 * 4
        let bytes = rounded * (entryBytes + list.biasBytes + 4)
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, 64, bytes) == 0, let memory else { throw .memory("lists", bytes: bytes) }
        var grown = list
        grown.memory = memory
        grown.room = rounded
        if list.count > 0, let old = list.memory {
            memcpy(memory, old, list.count * entryBytes)
            if let from = list.bias, let to = grown.bias { memcpy(to, from, 4 * list.count) }
            if let from = list.slots, let to = grown.slots { memcpy(to, from, 4 * list.count) }
        }
        free(list.memory)
        lists[index] = grown
    }

    func append(_ slot: UInt32, _ entry: UnsafeRawPointer, bias: Float, to index: Int) throws(SegmentError) {
        try reserve(1, in: index)
        let list = lists[index]
        guard let memory = list.memory, let slots = list.slots else { return }
        memcpy(memory + list.count * entryBytes, entry, entryBytes)
        list.bias?[list.count] = bias
        slots[list.count] = slot
        lists[index].count += 1
        lists[index].isChanged = true
    }

    /// Takes out entries of the slots; the others keep their order.
    func remove(_ removed: SlotSet) {
        for index in 0..<count {
            let list = lists[index]
            guard let memory = list.memory, let slots = list.slots else { continue }
            var kept = 0
            for position in 0..<list.count where !removed.contains(Int(slots[position])) {
                if kept != position {
                    memcpy(memory + kept * entryBytes, memory + position * entryBytes, entryBytes)
                    list.bias?[kept] = list.bias?[position] ?? 0
                    slots[kept] = slots[position]
                }
                kept += 1
            }
            if kept != list.count {
                lists[index].count = kept
                lists[index].isChanged = true
            }
        }
    }

    func markSaved(_ index: Int) { lists[index].isChanged = false }
}
