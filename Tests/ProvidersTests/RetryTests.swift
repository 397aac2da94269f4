import Providers
import Testing

@Suite("Retries wait longer each time") struct RetryTests {
    @Test(
        "a pause is drawn from zero to a limit that doubles",
        arguments: [
            (1, nil, 0.999, 0.4995), (2, nil, 0.5, 0.5), (3, nil, 0.5, 1.0), (3, nil, 0.0, 0.0), (4, nil, 0.5, nil),
            (1, 2.0, 0.5, 2.25), (1, 60.0, 0.0, 60.0), (1, 61.0, 0.0, nil), (1, 0.0, 0.5, 0.25),
        ] as [(Int, Double?, Double, Double?)])
    func pauses(retry: Int, asked: Double?, lot: Double, expected: Double?) {
        #expect(RetryPolicy(retries: 3, first: 0.5).pause(before: retry, asked: asked, lot: lot) == expected)
    }

    @Test("no pause exceeds the maximum")
    func noPauseIsLongerThanTheLongest() {
        let policy = RetryPolicy(retries: 200, first: 1, longest: 8)
        #expect(policy.pause(before: 200, asked: nil, lot: 1) == 8)
    }

    @Test(
        "Retry-After counts seconds or names a date",
        arguments: [
            ("120", 120), ("0", 0), ("1.5", 1.5), ("-1", nil), ("nan", nil), ("soon", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun Nov  6 08:49:47 1994", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
            ("Sun, 31 Feb 1994 08:49:27 GMT", nil), ("Sun, 06 Nov 1994 08:49:47 CET", nil), ("a b c d e", nil),
        ] as [(String, Double?)])
    func retryAfter(text: String, expected: Double?) {
        // 1994-11-06T08:49:37Z, the example of RFC 9110.
        #expect(RetryAfter.seconds(text, now: 784_111_777_000_000_000) == expected)
    }

    @Test("only temporary failures are retried")
    func onlyFailuresThatMayPassAreTriedAgain() {
        let tried = [200, 301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 529].filter {
            RetryPolicy.mayPass(status: $0)
        }
        #expect(tried == [408, 409, 429, 500, 502, 503, 529])
    }
}
