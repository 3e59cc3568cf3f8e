/// Tokens and keys made with the Python package `cryptography`, as a second opinion.
enum TokenVectors {
    static let accessToken = "the access token"

    static let keys = """
        {"keys":[{"kty":"RSA","kid":"rsa","use":"sig","n":"rAWqokTxBAenbiuxhIGvPimAl8xJilc7d0utlBjnL4vzknxF1\
        E4PWwffpgpfOHh7v-JunARbDLZEFuVeXQHVh3Wjj7cl21Pzx29UYdu8CXEX9F7eu61ThV9FDEYIxeLeeyIcKmPeaCR1QR9ThU_V_\
        DIc5OAnrOM0Vxqr8sOsVftirHcPWSqSdYfkX7g4DRHQ8sQjyqFFquzrt3NZ_ntYc8nMdLvNZQcP7SN_H5pfZeneA90DwuWVk3Mi9\
        73SMp3nqo_E6EdjrmUgW9NZ-JxkTX42G3z44O_mvY53boNG4fA-dE_tPpgzHXwufA8U4vIWkgthuFcsNOfo4e0P12el6w","e":"\
        AQAB"},{"kty":"EC","crv":"P-384","kid":"p384","use":"sig","x":"1duei_xeDtoRyKjrqnZPSY-8R658O7dInQUF7\
        nSf4WHuBPCQS7liYufz08m_-vOR","y":"3zLKrYNuKcJlEq3ST9U3PwkN1MA5CCYHfvP6wez-8RU4PaXS3pPg-cY9q3UwEsTS"}\
        ,{"kty":"EC","crv":"P-256","kid":"p256","use":"sig","x":"SaJm6BNjFnTAKzUphX89UXkx6gy_wX7KS1I8P0yNm7w\
        ","y":"aM7Nny2EHFhqt4b42YUeWP4hycSi7aEQgzWYEPf9Pu8"},{"kty":"OKP","crv":"Ed25519","kid":"ed","x":"ja\
        Odfg8vAhA6m7b7MggQ8MbOZ7GMCFKuu1ptPZ_Eaqc"}]}
        """

    /// A key of 1,024 bits.
    static let weakKey = """
        {"kty":"RSA","kid":"weak","use":"sig","n":"0JC6eppPJ1s5GA96DnOI8ZGz0DSAOseopNhLukLZqyFnfy8YTPIMXN-nS\
        SwkdrQOzZEdAGctzAu2qytx7Tv1iQ6GkOzcc6cc5gIBA159R43bcOmtOqEFOEO3e62l8Jyjy_hNfDH-ND2T0vpGuT1vZOHek1xuv\
        BWGaAH2bccQ72E","e":"AQAB"}
        """

    /// A token for each algorithm.
    static let tokens: [(algorithm: String, token: String)] = [
        (
            "RS256",
            """
            eyJhbGciOiAiUlMyNTYiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiI4a0p5YlBieS1Cd0hyclNueF9vUzRBIn0.T1m3sCxe7Vh1dt_GAm3s0geO4WQPB_ujxVIXET_xa7YyjAlQUdThtVZ\
            bG-MJZ9D_NUOLJ7o3mMUohlap4t6aIZcI71s-4F20tlU8FmsvKjikN2UlHLBu0JTl5Bq75QsV6TNt92FTEwEhtnXy1RB7ce4H8ax\
            -W3seu5lA4-gBL9armcOZx3yGyaAPK61b5jGEI9Hr3vIVeC4DofQEbTUXu2FlDZjRubxkjwE8gOA9niWa2emSKffx3T0n-DyDd3G\
            AnnGj4knYP3bOIy2YB5ZGtkzjPiG4VOXzoGKbyttXxPSmW5Ac574V3bZKsHkSgYwEkKu0h_xaytt_os1flykDIw
            """
        ),
        (
            "RS384",
            """
            eyJhbGciOiAiUlMzODQiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiJid1E4eEtjZHh5Vm9kOWVPRjV2VHZacTJlaVU5NmxZNSJ9.JXaGFmXrbt_IIIoERvDuil2JcjMmV892i0bi2Vwzce\
            sBSJSIu7qH4e74tt0EHkUH3QciW2XuloAJmHe8utrNpXkOk6AX7cd4QDOO3-K0_Evde9K9JvRCFXCA9ksBxbvqBC1hc8N-jtXwGE\
            YxfW-hl0qxj02Vi_iNp7e4jehPqWND9c7n15xSuZ7uSmeE7oOHHSZnLDo9aat9EwiFZSsanATKEySTL-F3fXMjJYbZCEUMaZPV5_\
            qOxC1dOHAmjn5InbNBxdpI5rysSnj1nStAc0D68T87UjUm2JWrgqrwQTVa4RCclNkIA_CKspIHqfedU0-7wPTO65-Rp3cPx4xOGQ
            """
        ),
        (
            "RS512",
            """
            eyJhbGciOiAiUlM1MTIiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiJySnE3ZTJDVGFVTGpBaTJjcHN2dGt6cHIzclc2NUl3RE9RNkpoV2hSQ2FvIn0.K2AXrKgTozBAAcxGyJLtPdICwAa\
            HjU9dGYXyzGBew1IpGDOPhBNZXUqpHZcU7IbZFtofTFWV1933MvdSeFJu2ehjtsqunrTxfTQq1HvqQ4NHMrtltXqeDohemJYZpL_\
            RtV96eiUiVXfoUm83-w0JaxESO7n_HE518ySx-v2WBrixERuaZ-TErApYGDQCvDr5AR9BJo6s0x9AsZin16_Bne7jzr0qqi0rgBO\
            DAVCrTGbceDy2dxQQiQGFocg3tqDH5l9DUDoPENU9ReVEAnCcm_i0sdoMR5EH6xMkrQMmxZ8vH3TcK4zq2KZiivFT6eahIV0DMD6\
            tAo2o7JsQzIFeOQ
            """
        ),
        (
            "PS256",
            """
            eyJhbGciOiAiUFMyNTYiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiI4a0p5YlBieS1Cd0hyclNueF9vUzRBIn0.fo3nfmtkJzeIbn2Gp0ffEzCXlaFRp9tRur4NZ2JGkzfKf0iHOM9I00w\
            TmEHSZcN6zzoHNVIX9T5LIEbPj5p0kKfXOj2_e6ZMTs0dkEVZnI2p5o7eZc1jKZDa_rMnO6vZKFdjaNiZY77JCB-mQ4c-Vx3euin\
            tVt_ZK1Ulr0-EaXeBJo7YDKDr4j4WuVOz58HwAR5enu1kx6nZX6WsUdRNQ9i0wHVf6JC2C-QzsfxkMepbWufwaBTCTPSuZdUg5cP\
            Y56xN-xvWihHn0NnPEcrNDdeieDrJltsl3Bx4bJEQp2uYwaGprCt9cjJyX7BuDwjJArTXgEnz5Y1K1TRDwcjHog
            """
        ),
        (
            "PS384",
            """
            eyJhbGciOiAiUFMzODQiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiJid1E4eEtjZHh5Vm9kOWVPRjV2VHZacTJlaVU5NmxZNSJ9.K8Fb23XJWV2C49ev8MraQ2nG-HK89Du5EGt7x1JlHm\
            bTI9f1nMDzyVwikSQOA0zCMw0uWxvbjOJbVXWhG0mLMIKyNM0AgBdzrEIgidgJEd_wzQeMAvTNxviHO_iUVGTyGM6nRZaXl0M96P\
            BYB2SFjXI7RRw7X45j5DFUoB8m7i8NH1leKHY5nSMYejnTZu_OhGVeCGm5XEg2_lySMyyCyr4ovNAC8X-UsHKHW3TEYIxaeeudVd\
            4yVepbwWskSUE2fX49ZVFWaVtGio4rNVw5siBHePw0fGPdW3Z1hNYmz8VbA1YwzeUBccF4LPDSw7goOPZAz0NzXO6xafWe6Pk1yg
            """
        ),
        (
            "PS512",
            """
            eyJhbGciOiAiUFM1MTIiLCAia2lkIjogInJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWV\
            udCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF\
            0X2hhc2giOiJySnE3ZTJDVGFVTGpBaTJjcHN2dGt6cHIzclc2NUl3RE9RNkpoV2hSQ2FvIn0.IHt_v_WQ77zPg60OFKd0GqXcsox\
            C_lKThtT-kYTs5Vq2pE5_EtIEy8yjb6Nv5NC1tt1TTZ4DzLO7WD9m-wAsgoDq4feazpLMXH7zE5lFXrdcLQi6IF3snkP2vn6kA6L\
            2F4aGaYHnJEECmUD0k-cqsV0L4M4hwpQANqyZjHmGUhF_md6xIMCaWNCSEAeblW7qowFiMMJOATgzd2rdrJeGhtIZRvqC36YNVUg\
            d6yPSK5X9nTLItD2g7c3ASO5llxyFii4VkeXU6_jGbhbLz5xlrLsydipfxJWJ8M8MCSGtCGM4f_CeOzFontPhggVl6SaqB6wirQz\
            GR8EtSbeli9UF1Q
            """
        ),
        (
            "ES256",
            """
            eyJhbGciOiAiRVMyNTYiLCAia2lkIjogInAyNTYifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsa\
            WVudCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsI\
            mF0X2hhc2giOiI4a0p5YlBieS1Cd0hyclNueF9vUzRBIn0.gfpfx26WncTotB9ohPyMN2gEmQek9X9YDj1-ybOXkoAOnpbd4ubi9\
            rjrj24sTUEEhxAMzZmxt_pMV2y72u864A
            """
        ),
        (
            "ES384",
            """
            eyJhbGciOiAiRVMzODQiLCAia2lkIjogInAzODQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsa\
            WVudCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsI\
            mF0X2hhc2giOiJid1E4eEtjZHh5Vm9kOWVPRjV2VHZacTJlaVU5NmxZNSJ9.D1nSqEMlzFVeAL9lJ26pVEkTZ-IQyljHwhJqDGoU\
            _rogWrZfcitknFtFI3V4RYuPSuwyAOWKN8-SX5TjIxUJTckWixZ2VvGENCQIus1i9-_Xr1SShKvO9Fv1ridOMrJS
            """
        ),
        (
            "EdDSA",
            """
            eyJhbGciOiAiRWREU0EiLCAia2lkIjogImVkIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnLyIsImF1ZCI6ImNsaWVu\
            dCIsInN1YiI6InBlcnNvbiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwLCJub25jZSI6InRoZSBub25jZSIsImF0\
            X2hhc2giOiJySnE3ZTJDVGFVTGpBaTJjcHN2dGt6cHIzclc2NUl3RE9RNkpoV2hSQ2FvIn0.noHRoRWF7UKQoM7o9WVHD4mfwIjW\
            6jJ-hzQcfMVGi5aC-zM98GWiPxtcMtzl9uJSHkwQF0UpMMX-tQ5RvJCnBg
            """
        ),
    ]

    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPKQbzeKFL7yAhxtW
        ZmuSAFgr3eJj5RjZy6LIY84O2oahRANCAATEcjEOu0unSWdpA+XHXitLThCw9eEx
        6LtuHCnQeB2bjstVNFr/PKk7PSScVgxcoa/cQIuRbUgUaVBYqwrpOO/U
        -----END PRIVATE KEY-----
        """

    /// The public point of ``privateKey``, in hex.
    static let publicPoint = """
        04c472310ebb4ba749676903e5c75e2b4b4e10b0f5e131e8bb6e1c29d0781d9b8e\
        cb55345aff3ca93b3d249c560c5ca1afdc408b916d4814695058ab0ae938efd4
        """

    static let privateKeyOfP384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDKw8O9DYdxYm1P41s1
        ExhVK70p7dSTnUGV9+aC1sAE1aKMD6nyrph2Hwn4rVxdCeGhZANiAATV256L/F4O
        2hHIqOuqdk9Jj7xHrnw7t0idBQXudJ/hYe4E8JBLuWJi5/PTyb/685HfMsqtg24p
        wmUSrdJP1Tc/CQ3UwDkIJgd+8/rB7P7xFTg9pdLek+D5xj2rdTASxNI=
        -----END PRIVATE KEY-----
        """
}
