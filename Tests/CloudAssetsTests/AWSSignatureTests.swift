import Foundation
import Testing

@testable import CloudAssets

/// The examples that AWS publishes: of its test suite for Signature Version 4, and of S3's manual.
struct AWSSignatureTests {
    private static let suite = AWSSignature(
        credentials: S3Credentials(accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1", service: "service")
    private static let manual = AWSSignature(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private static let times = (
        suite: Date(timeIntervalSince1970: 1_440_938_160), manual: Date(timeIntervalSince1970: 1_369_353_600)
    )

    @Test(
        "The signature of a request equals the one in Amazon's test suite",
        arguments: [
            ("GET", [], "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            ("POST", [], "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            (
                "GET", [("Param2", "value2"), ("Param1", "value1")],
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
        ] as [(String, [(name: String, value: String)], String)])
    func vanilla(method: String, query: [(name: String, value: String)], signature: String) {
        let request = AWSSignature.Request(
            method: method, path: "/", query: query,
            headers: [("x-amz-date", "20150830T123600Z"), ("host", "example.amazonaws.com")])
        #expect(
            Self.suite.authorization(of: request, at: Self.times.suite)
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, Signature=\(signature)")
    }

    @Test(
        "The signatures of requests equal those in Amazon's manual",
        arguments: [
            (
                "GET", "/test.txt", [], [("range", "bytes=0-9")], AWSSignature.emptyPayload,
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                "PUT", "/" + AWSSignature.encode("test$file.text", keeping: "/"), [],
                [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (
                "GET", "/", [("lifecycle", "")], [], AWSSignature.emptyPayload,
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
            ),
            (
                "GET", "/", [("prefix", "J"), ("max-keys", "2")], [], AWSSignature.emptyPayload,
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(String, String, [(name: String, value: String)], [(name: String, value: String)], String, String)])
    func manualRequests(
        method: String, path: String, query: [(name: String, value: String)],
        headers: [(name: String, value: String)], payload: String, signature: String
    ) {
        let request = AWSSignature.Request(
            method: method, path: path, query: query,
            headers: headers + [
                ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload),
                ("x-amz-date", "20130524T000000Z"),
            ], payload: payload)
        #expect(Self.manual.authorization(of: request, at: Self.times.manual).hasSuffix("Signature=\(signature)"))
    }

    @Test("The signed URL equals the one in Amazon's manual") func manualLink() {
        let request = AWSSignature.Request(
            method: "GET", path: "/test.txt", headers: [("host", "examplebucket.s3.amazonaws.com")])
        #expect(
            Self.manual.presignedQuery(of: request, at: Self.times.manual, seconds: 86400)
                == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test("Printed credentials do not show the secret key") func secretHidden() {
        let credentials = S3Credentials(accessKey: "known", secretKey: "hidden", sessionToken: "hidden too")
        #expect("\(credentials)" == "known")
        #expect(!String(reflecting: credentials).contains("hidden"))
        let file = S3Credentials(file: "[default]\naws_access_key_id = a\naws_secret_access_key=b=c\n")
        #expect(file?.accessKey == "a" && file?.secretKey == "b=c")
        #expect(S3Credentials(file: "aws_access_key_id = a") == nil)
    }
}
