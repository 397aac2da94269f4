import JSON
import SearchIndexes
import TestFixtures
import Testing

/// What `Goldens/analysis.py` wrote.
private struct AnalysisGolden {
    var texts: [(text: String, terms: [String: [String]])] = []
    var stems: [(word: String, stem: String)] = []

    init() throws {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let bytes = try #require(File.bytes(folder + "/Goldens/analysis.json"))
        try JSONDocument(parsing: bytes).withRoot { root in
            for row in root["texts"]!.elements {
                var terms: [String: [String]] = [:]
                for name in ["words", "english", "standard"] {
                    terms[name] = row.member(named: name)!.elements.map { $0.string! }
                }
                texts.append((row["text"]!.string!, terms))
            }
            for pair in root["stems"]!.elements {
                stems.append((pair.element(at: 0)!.string!, pair.element(at: 1)!.string!))
            }
        }
    }
}

@Suite("An analyzer")
struct AnalyzerTests {
    @Test(
        "terms match Python's re, str.lower, and PyStemmer", arguments: ["words", "english", "standard"])
    func agreesWithPython(name: String) throws {
        let golden = try AnalysisGolden()
        let analyzer = try #require(Analyzer.named(name))
        #expect(golden.texts.count > 10)
        for row in golden.texts { #expect(analyzer.terms(of: row.text) == row.terms[name], "\(row.text)") }
    }

    @Test("English stems match Snowball 3")
    func stemsEnglish() throws {
        let golden = try AnalysisGolden()
        #expect(golden.stems.count > 150)
        for pair in golden.stems {
            var analyzer = Analyzer(.words, stemmer: Stemmer("english"))
            analyzer.splitting = .standard
            let terms = pair.word.contains("'") ? nil : analyzer.terms(of: pair.word)
            if let terms { #expect(terms == [pair.stem], "\(pair.word)") }
        }
    }

    @Test("an analysis reports the term of each word, and which words were dropped and why")
    func explains() {
        let words = Analyzer.english.analyze("The planets, a moon: é?")
        #expect(words.map(\.word) == ["the", "planets", "a", "moon", "é"])
        #expect(words.map(\.bytes) == [0..<3, 4..<11, 13..<14, 15..<19, 21..<23])
        #expect(words.map(\.position) == [0, 1, 2, 3, 4])
        #expect(
            words.map(\.outcome) == [
                .lost(.stopWord), .term("planet"), .lost(.tooShort), .term("moon"), .lost(.tooShort),
            ])
        let long = String(repeating: "x", count: 2000)
        #expect(Analyzer.words.analyze(long).map(\.outcome) == [.lost(.tooLong)])
    }

    @Test("runs of Chinese, Japanese, and Korean are cut into pairs, with their bytes")
    func bigrams() {
        let words = Analyzer.cjk.analyze("東京都 is 2駅 a 天")
        #expect(words.compactMap(\.term) == ["東京", "京都", "is", "駅", "天"])
        #expect(words.first { $0.term == "京都" }?.bytes == 3..<9)
        #expect(Analyzer.words.terms(of: "東京都") == ["東京都"])
        #expect(Analyzer.named("english+cjk")?.terms(of: "running 東京都") == ["run", "東京", "京都"])
    }

    @Test("words become character n-grams")
    func grams() {
        let analyzer = Analyzer.named("words+grams2-3")
        #expect(analyzer?.terms(of: "été ab x") == ["ét", "té", "été", "ab"])
    }

    @Test("accents are folded on request")
    func folds() {
        #expect(
            Analyzer.named("words+folded")?.terms(of: "Été naïve Łódź Straße") == ["ete", "naive", "lodz", "straße"])
    }

    @Test("an analyzer can be found by its name")
    func names() {
        for name in Analyzer.names + ["english+cjk", "german+folded", "words+grams3-4", "english+stop"] {
            #expect(Analyzer.named(name)?.name == name)
        }
        for name in ["klingon", "words+", "words+grams4-3", "words+grams0-2", "words+stop", "", "+"] {
            #expect(Analyzer.named(name) == nil, "\(name)")
        }
    }

    @Test(
        "languages have a stemmer and stop words",
        arguments: [
            ("german", "die häuser", ["haus"]), ("french", "les continuellement", ["continuel"]),
            ("spanish", "las canciones", ["cancion"]), ("italian", "della abbandonata", ["abbandon"]),
            ("portuguese", "não quilométricas", ["quilométr"]), ("dutch", "het lichamelijk", ["licham"]),
            ("swedish", "och jaktkarlarne", ["jaktkarl"]), ("english", "the turning", ["turn"]),
        ])
    func languages(name: String, text: String, terms: [String]) {
        #expect(Analyzer.language(name)?.terms(of: text) == terms)
        #expect((StopWords(language: name)?.count ?? 0) > 80)
    }

    @Test("every language of the library accepts any bytes")
    func everyLanguage() {
        var generator = SystemRandomNumberGenerator()
        for name in Analyzer.names {
            let analyzer = Analyzer.named(name)!
            let noise = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = String(decoding: noise, as: UTF8.self) + " añb Ωmega слово 東京"
            let words = analyzer.analyze(text)
            #expect(words.allSatisfy { $0.bytes.upperBound <= text.utf8.count && !$0.bytes.isEmpty })
            #expect(zip(words, words.dropFirst()).allSatisfy { $0.bytes.lowerBound <= $1.bytes.lowerBound })
        }
    }
}
