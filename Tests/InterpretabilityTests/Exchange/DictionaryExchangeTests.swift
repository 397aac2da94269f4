import Interpretability
import TestFixtures
import Testing

@Suite("Dictionaries that are exchanged")
struct DictionaryExchangeTests {
    @Test("say the same of the same rows when they are opened again")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        try DictionaryExchange.write(to: folder.path)
        let report = try DictionaryExchange.compare(folder.path)
        #expect(report.tensors == 10 && report.difference < 1e-6)
    }
}
