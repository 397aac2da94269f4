internal import Bytes
internal import JSON
internal import Traces

extension InspectArchive {
    /// What is known of the file so far.
    struct State {
        private(set) var directory: ZipDirectory<LogFile>
        private(set) var head: InspectHead
        private(set) var reading = InspectRows()
        /// The first rows, which are kept whole.
        private var rows: [EvalRow] = []
        /// The sample of every row that has been read.
        private var names: [Name] = []
        private var summaries: InspectSummaries?
        /// Samples in order, if there are no summaries.
        private var samples: [ZipEntry] = []
        private var stamp: FileStamp
        private let parser: LogParser
        /// Change of the file that has not been reported yet.
        private var news = EvalLogChange.none

        /// Rows of which the names of scores and slices are learned.
        private static let sniffed = 64
        /// Rows that are kept whole; one beyond is made of its sample when it is asked for again.
        private static let mostKept = 100_000

        private struct Name: Equatable {
            var id: String
            var epoch: Int
        }

        init(_ path: String, _ isCancelled: @Sendable () -> Bool) throws(EvalLogError) {
            let file = try LogFile(path)
            stamp = State.stamp(path)
            parser = LogParser(path)
            directory = try ZipDirectory(file, rules: .lenient)
            let finished = directory["header.json"]
            guard let entry = finished ?? directory["_journal/start.json"] else {
                throw EvalLogError(
                    path: path,
                    problem: "the ZIP archive is not an Inspect log: it has neither header.json nor "
                        + "_journal/start.json")
            }
            head = try LogJSON.parse(try directory.bytes(of: entry, most: 64 << 20), path: path, place: entry.name) {
                InspectHead($0, path: path, isFinished: finished != nil)
            }
            samples = directory.samples
            let sources = directory.summaries
            if !sources.isEmpty || samples.isEmpty { summaries = InspectSummaries(directory, sources) }
            reading.clusterKey = head.clusterKey
            try sniff(isCancelled)
            head.run.scores = reading.scores
            head.run.slices = reading.slices
        }

        var run: EvalRun {
            var run = head.run
            run.completed = max(samples.count, names.count)
            // A dead writer leaves no notice, so the log's age decides.
            if run.state == .running { run.state = .unended(run.path ?? "") }
            return run
        }

        /// Opens the file again if it has changed and its run has not ended.
        mutating func refresh() {
            if head.run.state == .running || head.run.state == .unfinished { look() }
        }

        /// Opens the file again if it has changed since.
        mutating func look() {
            guard hasChanged else { return }
            // While it is being written it has no directory; what is known stays.
            guard var newer = try? State(head.run.path ?? "", { false }) else { return }
            if newer.reading.scores == reading.scores, newer.reading.slices == reading.slices {
                if goOn(newer) || newer.begins(with: names) {
                    if news == .none { news = .grown }
                } else {
                    news = .replaced
                }
            } else {
                news = .replaced
            }
            guard stamp != newer.stamp else { return }
            newer.news = news
            self = newer
        }

        /// What became of the file since this was asked last.
        mutating func takeNews() -> EvalLogChange {
            defer { news = .none }
            return news
        }

        /// Takes over a newer state whose summaries are the known ones and more, so that none is read twice.
        private mutating func goOn(_ newer: State) -> Bool {
            let (known, all) = (directory.summaries, newer.directory.summaries)
            guard let summaries, newer.summaries != nil, all.starts(with: known) else { return false }
            summaries.goOn(newer.directory, with: Array(all.dropFirst(known.count)))
            (directory, head, samples, stamp) = (newer.directory, newer.head, newer.samples, newer.stamp)
            return true
        }

        /// Whether its first rows are of these samples.
        private mutating func begins(with known: [Name]) -> Bool {
            guard (try? readOn(to: known.count, { false })) != nil else { return false }
            return names.starts(with: known)
        }

        /// Whether the file is not the one any more that was opened.
        var hasChanged: Bool { State.stamp(head.run.path ?? "") != stamp }

        private static func stamp(_ path: String) -> FileStamp { (try? FileStamp(path: path)) ?? .unknown }

        /// Reads the first summaries twice: for their names, and for their rows.
        private mutating func sniff(_ isCancelled: () -> Bool) throws(EvalLogError) {
            var first: [[UInt8]] = []
            var places: [String] = []
            if let summaries {
                while first.count < State.sniffed {
                    try check(isCancelled)
                    let isThere = try summaries.next { bytes, place in
                        first.append(Array(bytes))
                        places.append(place)
                    }
                    if !isThere { break }
                }
            } else if let entry = samples.first {
                first.append(try directory.bytes(of: entry))
                places.append(entry.name)
            }
            for (bytes, place) in zip(first, places) {
                try bytes.withNode(parser, place) { reading.learn($0) }
            }
            reading.settle()
            guard summaries != nil else { return }
            for (bytes, place) in zip(first, places) {
                keep(try bytes.withNode(parser, place) { reading.row($0, index: names.count) })
            }
        }

        private mutating func keep(_ row: EvalRow) {
            names.append(Name(id: row.id, epoch: row.epoch))
            if row.index < State.mostKept { rows.append(row) }
        }

        private func check(_ isCancelled: () -> Bool) throws(EvalLogError) {
            if isCancelled() {
                throw EvalLogError(path: directory.source.path, problem: "reading was canceled", isCancellation: true)
            }
        }

        /// The rows of a range, as many of them as there are.
        mutating func rows(_ range: Range<Int>, _ isCancelled: () -> Bool) throws(EvalLogError) -> [EvalRow] {
            var fresh: [EvalRow] = []
            try readOn(to: range.upperBound, isCancelled) { row in
                if row.index >= State.mostKept, range.contains(row.index) { fresh.append(row) }
            }
            var found = Array(rows[range.clamped(to: 0..<rows.count)])
            let known = min(range.upperBound, fresh.first?.index ?? names.count)
            for index in max(range.lowerBound, rows.count)..<max(range.lowerBound, rows.count, known) {
                try check(isCancelled)
                if let entry = entry(ofSampleOf: index) {
                    found.append(try row(of: entry, index))
                } else {
                    found.append(lost(index))
                }
            }
            return found + fresh
        }

        /// The row of a sample that only the summaries know.
        private func lost(_ index: Int) -> EvalRow {
            EvalRow(
                index: index, id: names[index].id, epoch: names[index].epoch, outcome: .unscored,
                scores: Array(repeating: .nan, count: reading.scores.count), input: "",
                slices: Array(repeating: "", count: reading.slices.count), problem: "the sample is not in the log")
        }

        private func row(of entry: ZipEntry, _ index: Int) throws(EvalLogError) -> EvalRow {
            try directory.bytes(of: entry).withNode(parser, entry.name) { node in
                let messages = InspectMessages(node)
                return reading.row(node, index: index) { messages.resolve($0) }
            }
        }

        /// Reads until at least `count` rows are known, and passes the new rows to the caller.
        private mutating func readOn(
            to count: Int, _ isCancelled: () -> Bool, _ take: (EvalRow) -> Void = { _ in }
        ) throws(EvalLogError) {
            refresh()
            while names.count < count {
                if names.count % 64 == 0 { try check(isCancelled) }
                var row: EvalRow?
                if let summaries {
                    _ = try summaries.next { bytes, place throws(EvalLogError) in
                        row = try parser.parse(bytes, place: place) { reading.row($0, index: names.count) }
                    }
                } else if names.count < samples.count {
                    row = try self.row(of: samples[names.count], names.count)
                }
                guard let row else { return }
                keep(row)
                take(row)
            }
        }

        private func fileName(_ index: Int) -> String {
            "samples/\(names[index].id)_epoch_\(names[index].epoch).json"
        }

        private func entry(ofSampleOf index: Int) -> ZipEntry? {
            summaries == nil ? samples[index] : directory[fileName(index)]
        }

        /// The entry that holds the sample of a row.
        mutating func entry(_ index: Int) throws(EvalLogError) -> ZipEntry {
            func missing(_ what: String) -> EvalLogError {
                EvalLogError(path: directory.source.path, place: what, problem: "the sample is not in the log")
            }
            guard index >= 0 else { throw missing("sample \(index)") }
            if summaries == nil {
                guard index < samples.count else { throw missing("sample \(index)") }
                return samples[index]
            }
            if index >= names.count { try readOn(to: index + 1, { false }) }
            guard index < names.count else { throw missing("sample \(index)") }
            guard let entry = entry(ofSampleOf: index) else { throw missing(fileName(index)) }
            return entry
        }
    }
}

extension ZipDirectory<LogFile> {
    /// The entries of samples, each name once.
    fileprivate var samples: [ZipEntry] {
        entries.enumerated().filter { place, entry in
            entry.name.hasPrefix("samples/") && entry.name.hasSuffix(".json") && places[entry.name] == place
        }.map(\.element)
    }

    /// Where the summaries stand: together, or of a running run one batch after the other.
    fileprivate var summaries: [ZipEntry] {
        if let whole = self["summaries.json"] { return [whole] }
        let folder = "_journal/summaries/"
        let batches = entries.enumerated().compactMap { place, entry -> (Int, ZipEntry)? in
            guard entry.name.hasPrefix(folder), entry.name.hasSuffix(".json"), places[entry.name] == place,
                let number = Int(entry.name.dropFirst(folder.count).dropLast(5))
            else { return nil }
            return (number, entry)
        }
        return batches.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension [UInt8] {
    fileprivate func withNode<R>(
        _ parser: LogParser, _ place: String, _ body: (JSONNode) throws(EvalLogError) -> R
    ) throws(EvalLogError) -> R {
        try withUnsafeBufferPointer { (bytes) throws(EvalLogError) in try parser.parse(bytes, place: place, body) }
    }
}
