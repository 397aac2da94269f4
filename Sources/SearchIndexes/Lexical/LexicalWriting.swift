/// What is being added to an index, behind its lock.
struct LexicalWriting: ~Copyable {
    private let settings: LexicalSettings
    /// Segments with what was removed from them, committed or not.
    private(set) var live: [LiveSegment]
    private var builder: SegmentBuilder
    /// Numbers of documents in the builder, and those among them that were added again or removed.
    private var pending: [Int64: Int] = [:]
    private var dropped = SlotSet()
    private(set) var nextNumber: Int
    private(set) var snapshotNumber = 0
    private var changed = false
    /// Of each segment that a store has, how many of its documents the store knows to be removed.
    private(set) var saved: [Int: Int] = [:]
    /// Segments that a store has and the index no longer.
    private(set) var obsolete: [LexicalSegment] = []

    init(_ settings: LexicalSettings, _ live: [LiveSegment] = [], nextNumber: Int = 0) {
        self.settings = settings
        self.live = live
        self.nextNumber = nextNumber
        builder = SegmentBuilder(settings)
        for segment in live { saved[segment.segment.number] = segment.removed.count }
    }

    var pendingBytes: Int {
        builder.byteCount + live.reduce(0) { $0 + (saved[$1.segment.number] == nil ? $1.segment.byteCount : 0) }
    }

    func contains(_ label: Int64) -> Bool { pending[label] != nil || find(label) != nil }

    private func find(_ label: Int64) -> (segment: Int, document: Int)? {
        for (index, live) in live.enumerated() {
            let labels = live.segment.table.labels
            guard let first = labels.first, let last = labels.last, first <= label, label <= last else { continue }
            if let document = live.segment.table.number(of: label), !live.removed.contains(document) {
                return (index, document)
            }
        }
        return nil
    }

    mutating func add(_ label: Int64, _ texts: [String]) throws(SegmentError) {
        let room = texts.reduce(0) { $0 + $1.utf8.count }
        guard room <= 1 << 30 else {
            throw SegmentError(
                "lexical index", problem: "document \(label) has \(room) bytes of text, more than 1 GiB",
                remedy: "Split it into chunks."
            )
        }
        remove(label)
        for text in texts {
            var text = text
            text.withUTF8 { builder.add($0) }
        }
        pending[label] = builder.documentCount
        builder.finish(label)
        changed = true
        if builder.byteCount > settings.memoryBudget || builder.documentCount >= LexicalSegment.documentLimit {
            try flush()
        }
    }

    mutating func remove(_ label: Int64) {
        if let number = pending.removeValue(forKey: label) {
            dropped.insert(number)
            changed = true
        }
        if let place = find(label) {
            live[place.segment].remove(place.document)
            changed = true
        }
    }

    private mutating func flush() throws(SegmentError) {
        guard builder.documentCount > 0 else { return }
        if let segment = try builder.makeSegment(number: nextNumber, without: dropped) {
            live.append(LiveSegment(segment))
            nextNumber += 1
        }
        builder = SegmentBuilder(settings)
        pending = [:]
        dropped = SlotSet()
    }

    mutating func commit() throws(SegmentError) {
        try flush()
        guard changed else { return }
        changed = false
        snapshotNumber += 1
        for empty in live.indices.reversed() where live[empty].liveCount == 0 { retire(empty) }
    }

    private mutating func retire(_ index: Int) {
        let segment = live.remove(at: index).segment
        if saved.removeValue(forKey: segment.number) != nil { obsolete.append(segment) }
    }

    /// Merges what the policy says.
    mutating func merge() throws(SegmentError) {
        while let places = MergePolicy.next(live) {
            let merged = try SegmentMerger(places.map { live[$0] }, fields: settings.fields.count).merge(
                number: nextNumber)
            nextNumber += 1
            for place in places.reversed() { retire(place) }
            if let merged { live.append(LiveSegment(merged)) }
            snapshotNumber += 1
        }
    }

    /// The store has everything now.
    mutating func markSaved() {
        for one in live { saved[one.segment.number] = one.removed.count }
        obsolete = []
    }
}
