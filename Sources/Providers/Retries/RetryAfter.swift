internal import Formatting
internal import JSON

/// How long a server wants to be left alone.
package enum RetryAfter {
    /// Returns the seconds from the response headers; `nil` if none of them reports a pause.
    ///
    /// `retry-after-ms` counts milliseconds (OpenAI, Azure); `Retry-After` holds seconds or a date, of which one that
    /// has passed is 0.
    /// - Parameter now: nanoseconds since 1970.
    package static func seconds(in head: HTTPHead, now: Int64) -> Double? {
        if let text = head["retry-after-ms"], let milliseconds = Double(text), milliseconds >= 0 {
            return milliseconds / 1000
        }
        guard let text = head["retry-after"] else { return nil }
        return seconds(text, now: now)
    }

    /// The value of a `Retry-After` line.
    package static func seconds(_ text: String, now: Int64) -> Double? {
        if let number = Double(text) { return number >= 0 && number.isFinite ? number : nil }
        guard let date = HTTPDate.nanosecondsSince1970(text) else { return nil }
        return max(0, Double(date - now) * 1e-9)
    }
}

/// Dates of HTTP header lines.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, and the two forms of old: `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`. Two digits of a year from 70 are of the last century.
    ///
    /// Source: RFC 9110, section 5.6.7.
    static func nanosecondsSince1970(_ text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        let day: String
        let month: String
        let year: String
        let time: String
        if words.count == 6, words[5] == "GMT" {
            (day, month, year, time) = (words[1], words[2], words[3], words[4])
        } else if words.count == 5 {
            (day, month, time, year) = (words[2], words[1], words[3], words[4])
        } else {
            return nil
        }
        guard let monthIndex = months.firstIndex(of: month), let dayNumber = UInt8(day), let number = UInt16(year),
            dayNumber <= 31
        else { return nil }
        let full = year.count == 2 ? (number >= 70 ? 1900 : 2000) + number : number
        let (yearText, monthText) = (Format.padded(Int(full), digits: 4), Format.padded(monthIndex + 1, digits: 2))
        let date = "\(yearText)-\(monthText)-\(Format.padded(Int(dayNumber), digits: 2))"
        return JSON.nanosecondsSince1970(iso8601: "\(date)T\(time)Z")
    }
}
