internal import JSON

extension LineLog {
    /// A line of a sample: its name in sentences, and its start.
    typealias Line = (place: String, start: Int, bytes: [UInt8], isUnended: Bool)

    /// What is known of the file so far.
    struct State {
        private struct Place {
            /// The sample's first line; most have no other.
            var first: Int32
            var part: Int32 = 0
            var others: [Int32] = []
        }

        let file: LogFile
        private(set) var head: EvalRun
        let reader: Reader
        private var stamp: LogStamp
        private var index: LineIndex
        /// The strands behind the first.
        private var others: [LineIndex] = []
        private var places: [Place] = []
        private var names: [String: Int] = [:]
        /// Lines that have been sorted.
        private var taken = 0
        /// The size of the file when its last line was sorted; `nil` before.
        private(set) var endSeen: Int?
        /// What of the file cannot be read.
        var losses = LogLosses()
        /// Whether the last sample is the beginning of one only: its writer is at it, or was stopped there.
        private var isLastCut = false

        /// Bytes of a file whose samples are counted when it is opened.
        private static var countedAtOnce: Int { 1 << 20 }

        init(_ file: LogFile, _ opened: (head: EvalRun, reader: Reader)) {
            self.file = file
            stamp = LogStamp(file)
            (head, reader) = opened
            index = LineIndex(file, part: reader.strands.first)
            others = reader.strands.dropFirst().map { LineIndex(file, part: $0) }
            losses.isCut = file.endsCut
            // Unreadable lines are reported when they are read.
            if file.size <= (reader.isEveryLineASample ? LogFile.countedAtOnce : Self.countedAtOnce) {
                try? find(.max) { false }
                for strand in others.indices { try? others[strand].findAll(.max) { false } }
                isLastCut = losses.isCut && reader.isEveryLineASample && others.isEmpty
            }
        }

        /// Samples that have been found.
        var count: Int { max(0, found - losses.samples.count) }

        /// Places of samples: those that cannot be read keep theirs.
        private var found: Int {
            max(0, (reader.isEveryLineASample ? index.count : places.count) - (isLastCut ? 1 : 0))
        }

        /// Whether a filter's lines end before those of the first.
        var lacksLines: Bool { index.isAtEnd && others.contains { $0.isAtEnd && $0.count < index.count } }

        /// The lines of a sample with their numbers, and which of their samples it is; `nil` beyond the last.
        mutating func lines(
            of place: Int, _ isCancelled: () -> Bool
        ) throws(EvalLogError) -> (lines: [Line], part: Int)? {
            try find(place + 1, isCancelled)
            guard place < found else { return nil }
            var lines: [Line] = []
            func add(_ number: Int, of index: LineIndex, _ word: String = "line") throws(EvalLogError) {
                lines.append(
                    ("\(word) \(number + 1)", index.start(number), try index.bytes(number), index.isUnended(number)))
            }
            guard reader.isEveryLineASample else {
                for line in [places[place].first] + places[place].others { try add(Int(line), of: index) }
                return (lines, Int(places[place].part))
            }
            try add(place, of: index)
            for strand in others.indices {
                try others[strand].findAll(place + 1, isCancelled: isCancelled)
                guard place < others[strand].count else { continue }
                try add(place, of: others[strand], "part \(strand + 2), line")
            }
            return (lines, 0)
        }

        /// Notes that the last sample is incomplete.
        mutating func cut() { (isLastCut, losses.isCut) = (true, true) }

        /// Takes in what became of the file.
        mutating func refresh(
            _ open: (LogFile) throws(EvalLogError) -> (head: EvalRun, reader: Reader)
        ) -> EvalLogChange {
            let change = stamp.look(file)
            if change == .none { return .none }
            (isLastCut, losses.isCut) = (false, file.endsCut)
            if change == .grown, reader.strands.isEmpty, let newer = try? open(file),
                newer.head.scores == head.scores, newer.head.slices == head.slices,
                newer.reader.strands.isEmpty, newer.reader.isEveryLineASample == reader.isEveryLineASample
            {
                head = newer.head
                return .grown
            }
            // While the file is rewritten, it may be invalid; the known state stays until it is valid again.
            if let file = try? LogFile(file.path), let newer = try? open(file) { self = State(file, newer) }
            return .replaced
        }

        private mutating func find(_ count: Int, _ isCancelled: () -> Bool) throws(EvalLogError) {
            if reader.isEveryLineASample {
                try index.findAll(count, isCancelled: isCancelled)
                if index.isAtEnd { endSeen = file.size }
                return
            }
            index.goOn()
            var beyond = 0
            while places.count < count || beyond < reader.lookAhead {
                if places.count >= count { beyond += 1 }
                if taken >= index.count {
                    try index.findAll(taken + 256, isCancelled: isCancelled)
                    guard taken < index.count else {
                        endSeen = index.progress
                        return
                    }
                }
                guard let piece = try piece(of: taken) else {
                    // A line that cannot be read is left out, unless the rest of it may come.
                    if index.isUnended(taken) {
                        endSeen = index.progress
                        return
                    }
                    losses.add(
                        index.start(taken),
                        EvalLogError(path: file.path, place: "line \(taken + 1)", problem: "invalid JSON"))
                    taken += 1
                    continue
                }
                take(piece, Int32(clamping: taken))
                taken += 1
            }
        }

        /// Returns the kind of a line; `nil` if it is not JSON.
        private func piece(of line: Int) throws(EvalLogError) -> LinePiece? {
            if let piece = reader.piece(ofStart: try index.bytes(line, most: 64)) { return piece }
            let bytes = try index.bytes(line)
            return try? LogJSON.parse(bytes, path: file.path, place: "") { reader.piece(JSONValue($0)) }
        }

        private mutating func take(_ piece: LinePiece, _ number: Int32) {
            switch piece {
            case .none: break
            case .samples(let count):
                for part in 0..<min(max(count, 0), 4096) { places.append(Place(first: number, part: Int32(part))) }
            case .part(let name):
                if let place = names[name] {
                    if places[place].others.count < 4095 { places[place].others.append(number) }
                } else {
                    names[name] = places.count
                    places.append(Place(first: number))
                }
            }
        }
    }
}
