internal import GRDB
internal import Tokenizers

/// Reads indexed tokens, with the rows of texts that were read last at hand.
struct IndexedTexts {
    private let index: Int64
    private let name: String
    private let db: Database
    private var blocks: [Int: TextBlock] = [:]

    init(_ index: Int64, _ dictionary: String, _ db: Database) {
        self.index = index
        name = "the texts in \(dictionary)'s index"
        self.db = db
    }

    mutating func tokens(_ range: Range<Int>) throws -> [TokenID] {
        var tokens: [TokenID] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let number = next / TextBlocks.capacity
            let block = try block(number)
            let place = next - number * TextBlocks.capacity
            let beyond = min(block.tokens.count, range.upperBound - number * TextBlocks.capacity)
            guard place < beyond else { throw Frame.damage(name) }
            tokens += block.tokens[place..<beyond]
            next += beyond - place
        }
        return tokens
    }

    mutating func example(_ example: FeatureRecord.Example) throws -> FeatureExample {
        FeatureExample(
            position: example.position, tokens: try tokens(example.first..<example.first + example.values.count),
            texts: [], values: example.values, peak: example.peak)
    }

    /// The part of a range that is of the same sequence as a place in it.
    mutating func sequence(around position: Int, within range: Range<Int>) throws -> Range<Int> {
        var (first, beyond) = (range.lowerBound, range.upperBound)
        for number in range.lowerBound / TextBlocks.capacity...(range.upperBound - 1) / TextBlocks.capacity {
            for start in try block(number).starts {
                let place = number * TextBlocks.capacity + Int(start)
                if place <= position { first = max(first, place) } else { beyond = min(beyond, place) }
            }
        }
        return first..<beyond
    }

    private mutating func block(_ number: Int) throws -> TextBlock {
        if let block = blocks[number] { return block }
        let block = try TextBlock.read(number, of: index, name, db)
        // Sixteen kilobytes each: as many as a dashboard needs, and no more.
        if blocks.count >= 256 { blocks = [:] }
        blocks[number] = block
        return block
    }
}
