import GRDB
import Crypto
import CryptoExtras
import Logging
