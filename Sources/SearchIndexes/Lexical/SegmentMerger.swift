/// Makes one segment of several, without their removed documents.
struct SegmentMerger {
    private let inputs: [LiveSegment]
    private let fields: Int
    /// Of each input the new number of each document; `UInt32.max` of removed ones.
    private var numbers: [[UInt32]] = []
    private var table: DocumentTable

    init(_ inputs: [LiveSegment], fields: Int) {
        self.inputs = inputs
        self.fields = fields
        var all: [(label: Int64, input: Int, document: Int)] = []
        for (input, live) in inputs.enumerated() {
            for (document, label) in live.segment.table.labels.enumerated() where !live.removed.contains(document) {
                all.append((label, input, document))
            }
            numbers.append([UInt32](repeating: .max, count: live.segment.documentCount))
        }
        if !zip(all, all.dropFirst()).allSatisfy({ $0.label < $1.label }) { all.sort { $0.label < $1.label } }
        for (number, one) in all.enumerated() { numbers[one.input][one.document] = UInt32(number) }
        table = DocumentTable(
            labels: all.map(\.label),
            lengths: (0..<fields).map { field in
                .init(all.map { UInt32(inputs[$0.input].segment.table.lengths[field][$0.document]) })
            })
    }

    /// Postings of one term.
    private struct Postings {
        var documents: [UInt32] = []
        var frequencies: [UInt32] = []
        var positions: [UInt32] = []

        /// Brings documents into order.
        mutating func sort() {
            guard !zip(documents, documents.dropFirst()).allSatisfy(<) else { return }
            var starts: [Int] = []
            var start = 0
            for frequency in frequencies {
                starts.append(start)
                start += Int(frequency)
            }
            var sorted = Postings()
            for index in documents.indices.sorted(by: { documents[$0] < documents[$1] }) {
                sorted.documents.append(documents[index])
                sorted.frequencies.append(frequencies[index])
                sorted.positions += positions[starts[index]..<starts[index] + Int(frequencies[index])]
            }
            self = sorted
        }
    }

    /// - Returns: `nil` if no document is left.
    func merge(number: Int) throws(SegmentError) -> LexicalSegment? {
        guard !table.labels.isEmpty else { return nil }
        var writer = SegmentWriter()
        var walks = inputs.map { TermWalk($0.segment.dictionary) }
        var heads: [(key: [UInt8], record: TermRecord)?] = []
        for index in walks.indices { heads.append(try walks[index].read()) }
        while let key = heads.compactMap({ $0?.key }).min(by: TermDictionary.precedes) {
            var postings = Postings()
            for index in inputs.indices {
                guard let head = heads[index], head.key == key else { continue }
                try append(head.record, of: index, to: &postings)
                heads[index] = try walks[index].read()
            }
            postings.sort()
            try write(key, postings, &writer)
        }
        return try LexicalSegment(number: number, parts: writer.finish(documents: table), fields: fields)
    }

    private func append(_ record: TermRecord, of input: Int, to postings: inout Postings) throws(SegmentError) {
        let segment = inputs[input].segment
        let blocks = try segment.blocks(of: record)
        let size = SegmentWriter.blockSize
        let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * size)
        defer { documents.deallocate() }
        let frequencies = documents + size
        for (index, block) in blocks.blocks.enumerated() {
            try blocks.read(index, documents: documents, frequencies: frequencies)
            let places = try segment.positions(
                of: block, frequencies: UnsafeBufferPointer(start: frequencies, count: block.count))
            for place in 0..<block.count {
                let number = numbers[input][Int(documents[place])]
                guard number != .max else { continue }
                postings.documents.append(number)
                postings.frequencies.append(max(frequencies[place], 1))
                postings.positions += places[place]
                // Positions beyond the limit were not kept: the last one stands for them.
                let lacking = Int(max(frequencies[place], 1)) - places[place].count
                guard lacking < 1 << 24 else {
                    throw SegmentError(
                        segment.place, problem: "a word occurs too often in a document: \(frequencies[place]) times")
                }
                postings.positions += repeatElement(places[place].last ?? 0, count: max(lacking, 0))
            }
        }
    }

    private func write(_ key: [UInt8], _ postings: Postings, _ writer: inout SegmentWriter) throws(SegmentError) {
        guard !postings.documents.isEmpty else { return }
        let field = Int(key[0])
        guard field < fields else {
            throw SegmentError("lexical index", problem: "a term is in the missing field \(field)")
        }
        try key.withUnsafeBufferPointer { (key) throws(SegmentError) in
            try postings.documents.withUnsafeBufferPointer { (documents) throws(SegmentError) in
                try postings.frequencies.withUnsafeBufferPointer { (frequencies) throws(SegmentError) in
                    try postings.positions.withUnsafeBufferPointer { (positions) throws(SegmentError) in
                        try table.lengths[field].codes.withUnsafeBufferPointer { (codes) throws(SegmentError) in
                            try writer.add(
                                field: field, term: UnsafeBufferPointer(rebasing: key.dropFirst()),
                                documents: documents, frequencies: frequencies, positions: positions.baseAddress!,
                                codes: codes.baseAddress!)
                        }
                    }
                }
            }
        }
    }
}
