import JSON

/// The texts of one profile by number, each once.
struct WordTable {
    private(set) var words: [String] = []
    private var places: [String: Int] = [:]

    mutating func place(_ text: String) -> Int {
        if let place = places[text] { return place }
        words.append(text)
        places[text] = words.count - 1
        return words.count - 1
    }
}

/// A launch as `launch.detail` holds it: JSON with short keys, texts by their numbers.
enum LaunchCoding {
    static func detail(of launch: Launch, words: inout WordTable, into json: inout JSONWriter) {
        json.removeAll()
        json.beginObject()
        json.member("id", ifPresent: launch.externalID)
        if let stream = launch.stream { json.member("stream", words.place(stream)) }
        if let grid = launch.grid { json.member("grid", [grid.x, grid.y, grid.z]) }
        if let block = launch.block { json.member("block", [block.x, block.y, block.z]) }
        json.member("registers", ifPresent: launch.registers)
        json.member("shared", ifPresent: launch.sharedMemory)
        json.member("occupancy", ifPresent: launch.occupancy)
        if !launch.operations.isEmpty {
            json.member("ops") { json in
                json.array { json in
                    for entry in launch.operations { figure(entry.kind.rawValue, entry.count, &json) }
                }
            }
        }
        if !launch.uncounted.isEmpty { json.member("uncounted", launch.uncounted.map(\.rawValue)) }
        if !launch.traffic.isEmpty {
            json.member("bytes") { json in
                json.array { json in
                    for entry in launch.traffic { figure(entry.level.rawValue, entry.bytes, &json) }
                }
            }
        }
        if !launch.peaks.compute.isEmpty {
            json.member("peaks", named(launch.peaks.compute.map { ($0.rawValue, $1) }))
        }
        if !launch.peaks.memory.isEmpty {
            json.member("bandwidths", named(launch.peaks.memory.map { ($0.rawValue, $1) }))
        }
        if let source = launch.source {
            json.member("source", words.place(source.name))
            if let dimensions = source.dimensions { json.member("dims", words.place(dimensions)) }
        }
        if !launch.notes.isEmpty { json.member("notes", launch.notes.map { words.place($0) }) }
        json.endObject()
    }

    private static func named(_ pairs: [(String, Double)]) -> [String: Double] {
        Dictionary(pairs, uniquingKeysWith: max)
    }

    private static func figure(_ name: String, _ figure: Figure, _ json: inout JSONWriter) {
        guard let value = figure.value else { return }
        json.array { json in
            json.string(name)
            json.number(value)
            if figure.quality != "exact" { json.string(figure.quality) }
        }
    }

    static func apply(_ detail: JSONNode, words: [String], to launch: inout Launch) {
        func word(_ node: JSONNode?) -> String? {
            node?.int.flatMap { words.indices.contains(Int($0)) ? words[Int($0)] : nil }
        }
        detail.forEachMember { key, value in
            if key.equals("id") {
                launch.externalID = value.string
            } else if key.equals("stream") {
                launch.stream = word(value)
            } else if key.equals("grid") {
                launch.grid = extent(value)
            } else if key.equals("block") {
                launch.block = extent(value)
            } else if key.equals("registers") {
                launch.registers = value.int.map { Int($0) }
            } else if key.equals("shared") {
                launch.sharedMemory = value.int.map { Int($0) }
            } else if key.equals("occupancy") {
                launch.occupancy = value.double
            } else if key.equals("ops") {
                for entry in value.elements {
                    if let kind = entry.element(at: 0)?.string.flatMap({ ArithmeticKind(rawValue: $0) }) {
                        launch.operations.append(.init(kind, figure(entry)))
                    }
                }
            } else if key.equals("uncounted") {
                launch.uncounted = value.elements.compactMap { $0.string.flatMap { ArithmeticKind(rawValue: $0) } }
            } else if key.equals("bytes") {
                for entry in value.elements {
                    if let level = entry.element(at: 0)?.string.flatMap({ TrafficLevel(rawValue: $0) }) {
                        launch.traffic.append(.init(level, figure(entry)))
                    }
                }
            } else if key.equals("peaks") {
                for (name, rate) in value.members {
                    if let kind = name.string.flatMap({ ArithmeticKind(rawValue: $0) }) {
                        launch.peaks.compute[kind] = rate.double
                    }
                }
            } else if key.equals("bandwidths") {
                for (name, rate) in value.members {
                    if let level = name.string.flatMap({ TrafficLevel(rawValue: $0) }) {
                        launch.peaks.memory[level] = rate.double
                    }
                }
            } else if key.equals("source"), let name = word(value) {
                launch.source = Launch.SourceOperation(name: name, dimensions: word(detail["dims"]))
            } else if key.equals("notes") {
                launch.notes = value.elements.compactMap { word($0) }
            }
        }
    }

    private static func extent(_ node: JSONNode) -> Extent? {
        let sides = node.elements.compactMap(\.int).map { Int($0) }
        return sides.count == 3 ? Extent(sides[0], sides[1], sides[2]) : nil
    }

    private static func figure(_ entry: JSONNode) -> Figure {
        guard let value = entry.element(at: 1)?.double else { return .missing }
        guard let quality = entry.element(at: 2) else { return .exact(value) }
        return quality.equals("estimate") ? .estimate(value) : .atLeast(value)
    }
}
