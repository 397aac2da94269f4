import Interpretability
import System
import Testing

@Suite("Invalid dictionary configurations")
struct HostileConfigurationTests {
    @Test("are values all the same", arguments: [Int.max, Int.min, -1, 0, 9])
    func values(steps: Int) {
        let configuration = DictionaryConfiguration(.topK(4), features: 64, steps: steps)
        #expect((1...10_000_000).contains(configuration.deadRows))
        #expect((0...1000).contains(configuration.warmUpSteps))
    }

    @Test("are refused with a sentence")
    func refusals() throws {
        func check(steps: Int = 10, features: Int = 64, width: Int = 8) throws {
            try DictionaryConfiguration(.topK(4), features: features, steps: steps).check(width: width)
        }
        try check()
        #expect(throws: Problem.self) { try check(steps: .max) }
        #expect(throws: Problem.self) { try check(steps: -3) }
        #expect(throws: Problem.self) { try check(width: .max) }
        #expect(throws: Problem.self) { try check(features: 1 << 24, width: 1 << 62) }
        #expect(throws: Problem.self) { try check(features: .max) }
    }
}
