internal import Console
internal import Formatting
internal import Retrieval

/// The text about a corpus as a whole.
struct HealthReading {
    var health: CorpusHealth
    private let glyphs = Glyphs.unicode

    var sections: [TextSection] {
        var text = StyledText()
        for problem in health.problems { text.append("\(problem)\n", .failure) }
        appendFacts(to: &text)
        appendLengths(to: &text)
        appendIndexes(to: &text)
        appendClusters(to: &text)
        return [TextSection(text)]
    }

    private func appendFacts(to text: inout StyledText) {
        let corpus = health.corpus
        let facts = [
            ("documents", Format.count(corpus.documentCount)), ("chunks", Format.count(corpus.chunkCount)),
            ("text", Format.bytes(Int(corpus.byteCount))), ("chunker", corpus.settings.chunker),
            ("analyzer", corpus.settings.analyzer),
            ("BM25", "k1 \(corpus.settings.k1)  b \(corpus.settings.b)"),
        ]
        for (name, value) in facts {
            text.append(name.paddedToColumns(14), .dim)
            text.append("\(value)\n")
        }
    }

    /// Appends a bar for each class of lengths; the classes are powers of two.
    private func appendLengths(to text: inout StyledText) {
        guard let longest = health.lengths.max(), longest > 0 else { return }
        let median = health.lengths.sorted()[health.lengths.count / 2]
        text.append("\nChunk lengths", .heading)
        text.append("   median \(Format.count(median)), longest \(Format.count(longest)) bytes\n", .dim)
        var classes: [Int: Int] = [:]
        for length in health.lengths { classes[Int.bitWidth - max(length, 0).leadingZeroBitCount, default: 0] += 1 }
        let most = classes.values.max() ?? 1
        for exponent in (classes.keys.min() ?? 0)...(classes.keys.max() ?? 0) {
            let count = classes[exponent] ?? 0
            text.append("below \(Format.count(1 << exponent))".paddedToColumns(14), .dim)
            let cells = Int((Double(count) / Double(most) * 32).rounded(.up))
            text.append(String(repeating: Character(glyphs.heavyLine), count: cells).paddedToColumns(33), .series1)
            text.append("\(Format.count(count))\n".paddedToColumns(8, .right), .number)
        }
    }

    private func appendIndexes(to text: inout StyledText) {
        guard !health.indexes.isEmpty else { return }
        text.append("\nIndexes\n", .heading)
        for index in health.indexes {
            text.append(index.isActive ? "\(glyphs.dot) " : "  ", .accent)
            text.append(index.name.paddedToColumns(24), .strong)
            text.append(index.kind.paddedToColumns(10), .text)
            text.append("\(Format.count(index.entries)) entries".paddedToColumns(18, .right), .number)
            text.append("\(Format.bytes(index.bytes))\n".paddedToColumns(12, .right), .dim)
        }
    }

    private func appendClusters(to text: inout StyledText) {
        text.append("\nNear-duplicates", .heading)
        guard !health.clusters.isEmpty else { return text.append("   none found\n", .dim) }
        text.append("   \(Format.count(health.clusters.count)) clusters\n", .dim)
        for cluster in health.clusters.prefix(200) {
            text.append(
                Format.fixed(cluster.similarity, digits: 2).paddedToColumns(6),
                cluster.similarity == 1 ? .warning : .number)
            text.append(cluster.members.prefix(6).joined(separator: "   "), .text)
            if cluster.members.count > 6 { text.append("   and \(cluster.members.count - 6) more", .dim) }
            text.append("\n")
        }
    }
}
