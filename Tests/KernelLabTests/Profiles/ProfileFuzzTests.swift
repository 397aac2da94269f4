import Glibc
import JSON
import KernelLab
import System
import TestFixtures
import Testing

/// Damaged profiles: each must be read or answered with a sentence, and what is read must be whole.
@Suite("damaged profiles")
struct ProfileFuzzTests {
    @Test("a fixture with seeded damage never brings the reader down", arguments: ProfileFixture.all)
    func damaged(file: String) throws {
        let folder = TemporaryFolder()
        let path = folder.unique("damaged")
        let bytes = try #require(File.bytes(ProfileFixture.path(file)))
        let format = try #require(ProfileFormats.recognizes(head: bytes))
        var random = ProfileDamage(state: 42)
        var read = 0
        for number in 0..<Self.count(for: file) {
            File.write(Self.mutated(bytes, &random), to: path)
            do {
                let profile = try ProfileReader.read(path, options: ProfileImportOptions(format: format))
                read += 1
                if let broken = Self.violation(profile) { Issue.record("\(file), mutation \(number): \(broken)") }
            } catch let error as Problem {
                if error.what.isEmpty || error.remedy == nil { Issue.record("an error without a sentence") }
            }
        }
        #expect(read > 0, "some damage must be harmless, or nothing behind the reader is tested")
    }

    /// A few, so that the suite stays quick; `ORRERY_FUZZ=5000` for the long run.
    private static func count(for file: String) -> Int {
        if let asked = getenv("ORRERY_FUZZ").flatMap({ Int(String(cString: $0)) }) { return asked }
        // Opening a database costs a hundred times what reading a text does.
        return file.hasSuffix(".sqlite") ? 25 : 80
    }

    private static func violation(_ profile: Profile) -> String? {
        if profile.summary.launchCount != profile.launches.count { return "launches are miscounted" }
        for (place, launch) in profile.launches.enumerated() {
            if launch.ordinal != place { return "launch \(place) has the ordinal \(launch.ordinal)" }
            if !profile.summary.devices.indices.contains(launch.device) { return "launch \(place) has no device" }
            if let duration = launch.duration, !(duration > 0) { return "launch \(place) takes \(duration) s" }
            if launch.counters.contains(where: { !profile.summary.counterNames.indices.contains($0.name) }) {
                return "launch \(place) has a counter without a name"
            }
            _ = launch.point
            if let roof = profile.summary.roofline(ofDevice: launch.device) { _ = launch.standing(on: roof) }
        }
        _ = profile.json()
        _ = ProfileComparison(before: profile, after: profile).json()
        return nil
    }

    static func mutated(_ bytes: [UInt8], _ random: inout ProfileDamage) -> [UInt8] {
        var bytes = bytes
        let figures = ["9223372036854775807", "-1", "1e308", "18446744073709551616", "0", "1e-320", "nan", ""]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard bytes.count > 2 else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeLast(bytes.count - place)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2:
                let odd: [UInt8] = [0, 0x0A, 0x22, 0x2C, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x28, 0x29, 0x80, 0xFF]
                bytes[place] = odd.randomElement(using: &random) ?? 0
            case 3:
                let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
                bytes.removeSubrange(place..<end)
            case 4:
                let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
            case 5, 6:
                guard let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { continue }
                bytes.replaceSubrange(digit...digit, with: Array((figures.randomElement(using: &random) ?? "").utf8))
            default:
                bytes.insert(
                    contentsOf: repeatElement(
                        Bool.random(using: &random) ? 0x5B : 0x37, count: Int.random(in: 1...5000, using: &random)),
                    at: place)
            }
        }
        return bytes
    }
}

/// Steele, Lea, Flood, OOPSLA 2014.
struct ProfileDamage: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word &>> 31)
    }
}
